/* settings.ts -- what a person chose once, kept in the browser: name, colours, sounds, motion. */
import './embedded';
import { effect, signal, type Signal } from '@preact/signals';
import { accountName } from './account';

const PREFIX = 'mashup.';

/** A value that is kept in the browser under this key. */
export function kept<T>(key: string, usual: T): Signal<T> {
  let first = usual;
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text !== null) first = JSON.parse(text) as T;
  } catch {
    /* Unreadable: the usual one. */
  }
  const value = signal<T>(first);
  effect(() => {
    const text = JSON.stringify(value.value);
    if (text !== JSON.stringify(usual) || localStorage.getItem(PREFIX + key) !== null) localStorage.setItem(PREFIX + key, text);
  });
  return value;
}

/** Everything that can be set. */
export const settings = {
  name: kept('name', ''),
  theme: kept<'auto' | 'light' | 'dark'>('theme', 'auto'),
  sound: kept('sound', true),
  /** How loud, from 0 to 1. */
  volume: kept('volume', 1),
  /** A message of the system when it is one's turn and the page is not in sight. */
  notify: kept('notify', false),
  motion: kept<'auto' | 'on' | 'off'>('motion', 'auto'),
  /** Animations go so many times as fast. */
  speed: kept('speed', 1),
  /** Everybody sees the board from their own side, where the game has sides. */
  ownSide: kept('own-side', true),
  /** A turn can be put together while the other side thinks. */
  prepare: kept('prepare', true),
  /** What others write in chats is not shown. */
  mute: kept('mute', false),
  /** How much is said of what happens to whoever hears the page. */
  verbosity: kept<'few' | 'usual' | 'all'>('verbosity', 'usual'),
  tips: kept('tips', true),
  intro: kept('intro', true),
};

/** What the person here is called: as their account, else as they said; empty: they did not. */
export function ownName(): string {
  return accountName() || settings.name.value;
}

/** Shall things move? Never when the device asks for less motion, unless the person wants it. */
export function motionOn(): boolean {
  const { motion } = settings;
  return motion.value === 'on' || (motion.value === 'auto' && !matchMedia('(prefers-reduced-motion: reduce)').matches);
}

/** The level of the program that was chosen last. */
export const level = kept('level', 3);

/** Levels that think by the clock, for so many seconds: one of these, as the person likes. A level above another has more. */
export const THINKING: Record<number, { seconds: number[]; chosen: Signal<number> }> = {
  8: { seconds: [0.2, 1, 5], chosen: kept('thinking', 0.2) },
  9: { seconds: [1, 5, 20], chosen: kept('thinking-9', 1) },
};
