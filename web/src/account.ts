/* account.ts -- the account of this device: a secret that only this device knows, and the name that the server keeps for it.
 *
 * Nobody has one before they want one: the secret is made when a name is claimed or another device lets this one in. It goes to the server
 * in messages and in one header, never in an address. A secret without a name is one whose claim was not answered yet. */
import './embedded';
import { signal } from '@preact/signals';
import type { AccountMessage } from './arena/messages';

/** What this device keeps. */
export interface KeptAccount {
  /** 32 hexadecimal digits. */
  key: string;
  /** Empty: no account is known to have the key. */
  name: string;
}

const KEY = 'mashup.account';

/** What a text of the storage says; null: nothing. */
function readKept(text: string | null | undefined): KeptAccount | null {
  try {
    const value = JSON.parse(text ?? 'null') as KeptAccount | null;
    return value && /^[0-9a-f]{32}$/.test(value.key) && typeof value.name === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** The account of this device; null: a guest who never wanted one. */
export const account = signal<KeptAccount | null>(readKept(globalThis.localStorage?.getItem(KEY)));

/** What the server told about it last; null: nothing yet. */
export const accountNow = signal<AccountMessage | null>(null);

/** The server does not know this device any more: it was logged out, or the account deleted, elsewhere. True until the person has read it. */
export const loggedOut = signal(false);

/* Other windows of this browser. */
globalThis.addEventListener?.('storage', ({ key, newValue }: StorageEvent) => {
  if (key !== KEY) return;
  account.value = readKept(newValue);
  accountNow.value = null;
});

/** The name of this device's account; empty: it is a guest's. */
export function accountName(): string {
  return account.value?.name ?? '';
}

/** Would nobody come into the account any more without this device? */
export function isLast(now: AccountMessage | null): boolean {
  return now !== null && !now.recovery && !now.password && now.devices < 2;
}

/** Keeps a secret, and the name that the server has for it. */
export function keepAccount(key: string, name: string): void {
  if (account.value?.key === key && account.value.name === name) return;
  account.value = { key, name };
  globalThis.localStorage?.setItem(KEY, JSON.stringify(account.value));
}

/** Takes what the server says about the account of a secret. */
export function takeAccount(key: string, message: AccountMessage): void {
  keepAccount(key, message.name);
  accountNow.value = message;
  loggedOut.value = false;
}

/** This device has no account any more. */
export function forgetAccount(): void {
  account.value = null;
  accountNow.value = null;
  globalThis.localStorage?.removeItem(KEY);
}

/** A new secret: 128 random bits. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
