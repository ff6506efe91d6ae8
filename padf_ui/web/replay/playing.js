// @ts-check
// The state of a replay at each moment: its clock, its events, and what Python computed for it.

/**
 * @typedef {import("../payload.d.ts").ReplayClip} ReplayClip
 * @typedef {{clip: number, seconds: number}} Position
 * @typedef {"quiet" | "unnoticed" | "noticed" | "missed"} Phase
 */

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const EPSILON = 1e-6;

/** @param {number} value */
function twoDigits(value) {
  return String(Math.floor(value)).padStart(2, "0");
}

/**
 * Formats a time span like a stopwatch: hours and minutes, and seconds if the steps are short.
 * @param {number} seconds
 * @param {boolean} isFine
 */
export function stopwatch(seconds, isFine) {
  const whole = Math.floor(seconds + EPSILON);
  const days = Math.floor(whole / 86400);
  const hours = twoDigits((whole % 86400) / 3600);
  const minutes = twoDigits((whole % 3600) / 60);
  const clock = `${hours}:${minutes}${isFine ? `:${twoDigits(whole % 60)}` : ""}`;
  return days ? `${days} d ${clock}` : clock;
}

/**
 * Formats a moment: the date and time, or the time since the start.
 * @param {number} seconds since 1970, or since the start
 * @param {boolean} hasClock
 * @param {boolean} isFine
 */
export function clockText(seconds, hasClock, isFine) {
  if (!hasClock) return stopwatch(seconds, isFine);
  const date = new Date(Math.floor(seconds + EPSILON) * 1000);
  const day = `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  const time = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
  return `${day} ${time}${isFine ? `:${twoDigits(date.getUTCSeconds())}` : ""}`;
}

/**
 * Returns whether the clock of a clip needs seconds.
 * @param {ReplayClip} clip
 */
export function isFineClip(clip) {
  return clip.step < 60;
}

/**
 * Returns what an alarm is worth at a moment, in percent, or null outside the incident.
 * @param {ReplayClip} clip
 * @param {number} seconds
 */
export function worthAt({ onset, over, worth }, seconds) {
  if (seconds < onset - EPSILON || seconds >= over - EPSILON) return null;
  const share = (seconds - onset) / (over - onset);
  return worth[Math.min(worth.length - 1, Math.floor(share * (worth.length - 1) + EPSILON))];
}

/**
 * Returns the time of the newest point at a moment.
 * @param {ReplayClip} clip
 * @param {number} seconds
 */
export function pointTime({ step }, seconds) {
  return Math.floor(seconds / step + EPSILON) * step;
}

/**
 * Returns the phase of a track at a moment.
 * @param {ReplayClip} clip
 * @param {number | null} noticed
 * @param {number} seconds
 * @returns {Phase}
 */
export function phaseAt({ onset, over }, noticed, seconds) {
  if (noticed !== null && seconds >= noticed - EPSILON) return "noticed";
  if (seconds >= over - EPSILON) return "missed";
  return seconds >= onset - EPSILON ? "unnoticed" : "quiet";
}

/**
 * Counts the false calls of a detector from the first clip up to a moment.
 * @param {ReplayClip[]} clips
 * @param {number} detector
 * @param {Position} position
 */
export function callsUntil(clips, detector, position) {
  let count = 0;
  clips.slice(0, position.clip + 1).forEach((clip, index) => {
    const { wrong, counts } = clip.tracks[detector];
    const isPast = index < position.clip;
    const passed = isPast ? wrong.length : wrong.filter((at) => at <= position.seconds + EPSILON).length;
    count += clip.missed_calls[detector] + (passed ? counts[passed - 1] : 0);
  });
  return count;
}

/**
 * Returns the moments of a clip at which something happens, in order.
 * @param {ReplayClip} clip
 */
export function eventsOf(clip) {
  const first = clip.tracks.flatMap(({ noticed }) => (noticed === null ? [] : [noticed]));
  const wrong = clip.tracks.flatMap((track) => track.wrong);
  const all = [clip.onset, clip.over, ...first, ...wrong, clip.seconds];
  return [...new Set(all)].sort((one, other) => one - other);
}

/**
 * Returns the next moment at which something happens. After the last one, returns the start of the next
 * clip.
 * @param {ReplayClip[]} clips
 * @param {Position} position
 * @returns {Position}
 */
export function nextEvent(clips, { clip, seconds }) {
  const at = eventsOf(clips[clip]).find((moment) => moment > seconds + EPSILON);
  if (at !== undefined && (at < clips[clip].seconds || clip === clips.length - 1)) {
    return { clip, seconds: at };
  }
  return clip + 1 < clips.length ? { clip: clip + 1, seconds: 0 } : { clip, seconds };
}

/**
 * Returns where a replay starts: some of the signal is visible, but nothing has happened yet.
 * @param {ReplayClip[]} clips
 * @returns {Position}
 */
export function startOf(clips) {
  return { clip: 0, seconds: 0.6 * clips[0].onset };
}

/**
 * Returns the start of the clip, or the start of the previous clip if the replay is already there.
 * @param {ReplayClip[]} clips
 * @param {Position} position
 * @returns {Position}
 */
export function backFrom(clips, { clip, seconds }) {
  const start = startOf(clips);
  const isBehind = seconds > (clip === 0 ? start.seconds : 0);
  const to = isBehind ? clip : clip - 1;
  return to > 0 ? { clip: to, seconds: 0 } : start;
}

/**
 * Returns the position of a replay after some replay seconds, and whether it is over.
 * @param {ReplayClip[]} clips
 * @param {Position} position
 * @param {number} by
 */
export function advance(clips, position, by) {
  let { clip } = position;
  let seconds = position.seconds + by;
  while (seconds >= clips[clip].seconds && clip + 1 < clips.length) {
    seconds -= clips[clip].seconds;
    clip += 1;
  }
  const isOver = seconds >= clips[clip].seconds - EPSILON;
  return { clip, seconds: Math.min(seconds, clips[clip].seconds), isOver };
}

/**
 * Returns the time of a watcher's first press inside the incident, which counts as an alarm. Without one,
 * returns null.
 * @param {ReplayClip} clip
 * @param {number[]} presses
 */
export function firstPress(clip, presses) {
  const times = presses.map((seconds) => pointTime(clip, seconds)).sort((a, b) => a - b);
  return times.find((at) => at >= clip.onset - EPSILON && at < clip.over - EPSILON) ?? null;
}

/**
 * Returns what happens between two moments of a clip: the onset, the detectors that notice the incident,
 * and false calls.
 * @param {ReplayClip} clip
 * @param {number} from
 * @param {number} to
 */
export function happens(clip, from, to) {
  /** @param {number} at */
  const isNow = (at) => at > from + EPSILON && at <= to + EPSILON;
  return {
    onset: isNow(clip.onset),
    noticed: clip.tracks.map(({ noticed }) => noticed !== null && isNow(noticed)),
    wrong: clip.tracks.map(({ wrong }) => wrong.some(isNow)),
  };
}
