/* seats.ts -- the seats that this browser holds at the server, by the table's code, so that they can be taken up again. */

/** A seat that was taken. */
export interface HeldSeat {
  code: string;
  token: string;
  game: string;
  /** It waited for a quick match. */
  quick?: boolean;
  /** When it was taken, in ms since 1970. */
  at: number;
}

const KEY = 'mashup.seats';
const SEATS_MAX = 20;

/** All seats, the newest first. */
export function heldSeats(): HeldSeat[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? (list as HeldSeat[]) : [];
  } catch {
    return [];
  }
}

/** Keeps a seat. */
export function holdSeat(seat: HeldSeat): void {
  const others = heldSeats().filter(({ code }) => code !== seat.code);
  localStorage.setItem(KEY, JSON.stringify([seat, ...others].slice(0, SEATS_MAX)));
}

/** Forgets a seat. */
export function dropSeat(code: string): void {
  localStorage.setItem(KEY, JSON.stringify(heldSeats().filter((seat) => seat.code !== code)));
}
