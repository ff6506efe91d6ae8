// @ts-check
// The sound of an alarm.

const BEEP = { hertz: 660, falseHertz: 440, seconds: 0.12, volume: 0.08 };

/** @param {boolean} isFalse whether it is a false alarm */
export function beep(isFalse) {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = isFalse ? BEEP.falseHertz : BEEP.hertz;
  volume.gain.value = BEEP.volume;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + BEEP.seconds);
}
