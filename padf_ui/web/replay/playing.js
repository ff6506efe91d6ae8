// @ts-check
// Where a replay stands: its clock, its events, and what Python said of each moment.

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
 * Writes a time span as a stopwatch does: hours and minutes, with seconds where steps are that short.
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
 * Writes a moment: the day and the time of a clock, or the time since the beginning.
 * @param {number} seconds since 1970, or since the beginning
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
 * Says whether seconds matter on the clock of a clip.
 * @param {ReplayClip} clip
 */
export function isFineClip(clip) {
  return clip.step < 60;
}

/**
 * Looks up what an alarm is worth at a moment, in percent; nothing outside the incident.
 * @param {ReplayClip} clip
 * @param {number} seconds
 */
export function worthAt({ onset, over, worth }, seconds) {
  if (seconds < onset - EPSILON || seconds >= over - EPSILON) return null;
  const share = (seconds - onset) / (over - onset);
  return worth[Math.min(worth.length - 1, Math.floor(share * (worth.length - 1) + EPSILON))];
}

/**
 * Returns the moment of the newest point that is there.
 * @param {ReplayClip} clip
 * @param {number} seconds
 */
export function pointTime({ step }, seconds) {
  return Math.floor(seconds / step + EPSILON) * step;
}

/**
 * Returns where a track stands at a moment.
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
 * Counts the false calls of a detector up to a moment, from the first clip on.
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
 * Returns the next moment at which something happens; behind the last one, the next clip's beginning.
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
 * Returns where a replay begins: with something to see, and nothing happening yet.
 * @param {ReplayClip[]} clips
 * @returns {Position}
 */
export function startOf(clips) {
  return { clip: 0, seconds: 0.6 * clips[0].onset };
}

/**
 * Returns the beginning of the clip; at its beginning, that of the clip before.
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
 * Returns where a replay is after some of its own seconds, and whether it is over.
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
 * Returns what a watcher's presses are in a clip: the first one in the incident, as if it were an alarm.
 * @param {ReplayClip} clip
 * @param {number[]} presses
 */
export function firstPress(clip, presses) {
  const times = presses.map((seconds) => pointTime(clip, seconds)).sort((a, b) => a - b);
  return times.find((at) => at >= clip.onset - EPSILON && at < clip.over - EPSILON) ?? null;
}

/**
 * Returns what happens between two moments of a clip: detectors that notice it, false calls, onset.
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
