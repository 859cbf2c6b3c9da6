/* seats.ts -- the seats that this browser holds at the server, by the table's code, so that they can be taken up again. */
import type { Seat } from '../model';

/** A seat that was taken. */
export interface HeldSeat {
  code: string;
  token: string;
  game: string;
  /** One's own side; older pages did not write it down. */
  seat?: Seat | null;
  /** It was given up while the match ran: it cannot be taken up again, but how the match ended is still to be learned. */
  left?: boolean;
  /** It waited for a quick match. */
  quick?: boolean;
  /** Of a match over days: nothing is lost by being away. */
  days?: number;
  /** When it was taken, in ms since 1970. */
  at: number;
}

const KEY = 'mashup.seats';
const SEATS_MAX = 20;

/** The seats that can be taken up again, the newest first. */
export function heldSeats(): HeldSeat[] {
  return allSeats().filter(({ left }) => !left);
}

/** All seats of which the end of the match is not known here, the newest first. */
export function allSeats(): HeldSeat[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? (list as HeldSeat[]) : [];
  } catch {
    return [];
  }
}

/** Keeps a seat. */
export function holdSeat(seat: HeldSeat): void {
  const others = allSeats().filter(({ code }) => code !== seat.code);
  localStorage.setItem(KEY, JSON.stringify([seat, ...others].slice(0, SEATS_MAX)));
}

/** Forgets a seat. */
export function dropSeat(code: string): void {
  localStorage.setItem(KEY, JSON.stringify(allSeats().filter((seat) => seat.code !== code)));
}

/** Notes that a seat was given up in a running match. */
export function leaveSeat(code: string): void {
  localStorage.setItem(KEY, JSON.stringify(allSeats().map((seat) => (seat.code === code ? { ...seat, left: true } : seat))));
}

/** What a window of this browser tells its others about a seat: it plays there, or does no more. */
interface SeatNews {
  code: string;
  free: boolean;
}

const windows = new BroadcastChannel('mashup.seats');

/** Tells the other windows of this browser that this one has a seat, or has let it go. */
export function tellWindows(code: string, free: boolean): void {
  windows.postMessage({ code, free } satisfies SeatNews);
}

/** A window that is only loaded again comes back sooner than this. */
const FREE_MS = 4000;

/** Waits until no other window has the seat and this one is looked at, and calls. Returns how to wait no more. */
export function whenFree(code: string, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let free = false;
  const look = () => {
    clearTimeout(timer);
    if (free && !document.hidden) timer = setTimeout(call, FREE_MS);
  };
  const listen = ({ data }: MessageEvent<SeatNews>) => {
    if (data.code !== code) return;
    free = data.free;
    look();
  };
  windows.addEventListener('message', listen);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    windows.removeEventListener('message', listen);
    document.removeEventListener('visibilitychange', look);
  };
}
