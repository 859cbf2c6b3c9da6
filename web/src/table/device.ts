/* device.ts -- what tables on this device share: the match lies in the table's own engine, which writes its file and ends with it. */
import { BaseTable } from './base';

/** A table whose match is played by its own engine. */
export abstract class DeviceTable extends BaseTable {
  /** Nothing is done or shown any more. */
  protected closed = false;

  async file(): Promise<string | null> {
    const [first, second] = this.players.value;
    return (await this.engine.call('save', { players: [first.name ?? '-', second.name ?? '-'] })) || null;
  }
  leave(): void {
    this.close();
  }
  close(): void {
    this.closed = true;
    this.mute();
    this.engine.close();
  }
}
