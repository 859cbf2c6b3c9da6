/* sound.ts -- small sounds made on the spot: a few oscillators and a pinch of noise, no files. Silent until the person has
 * touched the page (browsers want it so), and whenever settings.sound is off. */
import { settings } from './settings';

/** One tone: wave, from and to frequency in Hz, begin and length in s, loudness. */
type Tone = [wave: OscillatorType | 'noise', from: number, to: number, begin: number, length: number, loud: number];

/** Every sound by name. */
const SOUNDS: Record<string, Tone[]> = {
  step: [['triangle', 180, 120, 0, 0.07, 0.2]],
  strike: [['noise', 1200, 300, 0, 0.09, 0.25], ['triangle', 160, 70, 0.02, 0.12, 0.4]],
  shot: [['sawtooth', 900, 220, 0, 0.16, 0.14], ['noise', 4000, 900, 0, 0.08, 0.1]],
  hit: [['noise', 700, 120, 0, 0.12, 0.3], ['square', 110, 60, 0, 0.12, 0.16]],
  block: [['square', 240, 180, 0, 0.06, 0.12], ['noise', 2500, 1500, 0, 0.04, 0.12]],
  out: [['sawtooth', 300, 60, 0, 0.4, 0.16], ['noise', 500, 80, 0.05, 0.35, 0.2]],
  heal: [['sine', 523, 523, 0, 0.14, 0.2], ['sine', 659, 659, 0.09, 0.14, 0.2], ['sine', 784, 784, 0.18, 0.24, 0.2]],
  magic: [['sine', 440, 880, 0, 0.25, 0.16], ['triangle', 660, 1320, 0.06, 0.25, 0.1]],
  portal: [['sine', 200, 900, 0, 0.3, 0.18], ['sine', 900, 300, 0.25, 0.25, 0.14]],
  stone: [['sine', 988, 988, 0, 0.1, 0.18], ['sine', 1319, 1319, 0.08, 0.28, 0.18]],
  appear: [['triangle', 260, 520, 0, 0.2, 0.2]],
  flip: [['noise', 3000, 800, 0, 0.06, 0.14], ['triangle', 330, 440, 0.05, 0.1, 0.16]],
  rock: [['noise', 400, 90, 0, 0.22, 0.35]],
  round: [['triangle', 392, 392, 0, 0.12, 0.18], ['triangle', 587, 587, 0.12, 0.22, 0.18]],
  turn: [['sine', 587, 587, 0, 0.08, 0.12], ['sine', 784, 784, 0.08, 0.14, 0.12]],
  mine: [['sine', 659, 659, 0, 0.12, 0.2], ['sine', 880, 880, 0.12, 0.12, 0.2], ['sine', 1175, 1175, 0.24, 0.3, 0.18]],
  cheer: [['square', 523, 523, 0, 0.1, 0.1], ['square', 659, 659, 0.1, 0.1, 0.1], ['square', 784, 784, 0.2, 0.1, 0.1], ['square', 1047, 1047, 0.3, 0.35, 0.1]],
  gulp: [['sine', 420, 90, 0, 0.28, 0.4], ['sine', 90, 220, 0.3, 0.12, 0.3]],
  click: [['triangle', 600, 500, 0, 0.04, 0.12]],
  refuse: [['square', 150, 110, 0, 0.16, 0.12]],
  warn: [['sine', 880, 880, 0, 0.1, 0.18], ['sine', 880, 880, 0.18, 0.1, 0.18]],
  win: [['triangle', 523, 523, 0, 0.16, 0.2], ['triangle', 659, 659, 0.14, 0.16, 0.2], ['triangle', 784, 784, 0.28, 0.16, 0.2], ['triangle', 1047, 1047, 0.42, 0.5, 0.22]],
  lose: [['triangle', 392, 392, 0, 0.2, 0.2], ['triangle', 330, 330, 0.2, 0.2, 0.2], ['triangle', 262, 250, 0.4, 0.5, 0.2]],
};

/** No sound begins within so many seconds of the same one. */
const APART_S = 0.045;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
const last = new Map<string, number>();

/** The audio context, once the person has touched the page. */
function open(): AudioContext | null {
  if (typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

/** A second of noise, made once. */
function noiseOf(audio: AudioContext): AudioBuffer {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  return noise;
}

/** Plays one tone of a sound. */
function sing(audio: AudioContext, [wave, from, to, begin, length, loud]: Tone): void {
  const start = audio.currentTime + begin;
  const end = start + length;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(Math.max(0.0006, loud * 0.5 * settings.volume.value), start);
  gain.gain.exponentialRampToValueAtTime(0.0005, end);
  gain.connect(audio.destination);
  if (wave === 'noise') {
    const source = audio.createBufferSource();
    const filter = audio.createBiquadFilter();
    source.buffer = noiseOf(audio);
    filter.type = 'lowpass';
    filter.frequency.setValueAtTime(from, start);
    filter.frequency.exponentialRampToValueAtTime(to, end);
    source.connect(filter).connect(gain);
    source.start(start, Math.random() * 0.5);
    source.stop(end);
  } else {
    const source = audio.createOscillator();
    source.type = wave;
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, end);
    source.connect(gain);
    source.start(start);
    source.stop(end);
  }
}

/** Plays a sound by its name; one that is not known is silence. What is seen with it comes first: to begin with sounds takes long. */
export function playSound(name: string): void {
  const tones = SOUNDS[name];
  if (tones && settings.sound.value && settings.volume.value > 0) setTimeout(() => sound(name, tones));
}

/** Plays the tones of a sound now, unless the same one has just begun. */
function sound(name: string, tones: Tone[]): void {
  const audio = open();
  if (!audio || audio.currentTime - (last.get(name) ?? -1) < APART_S) return;
  last.set(name, audio.currentTime);
  for (const tone of tones) sing(audio, tone);
}
