/* thinker.ts -- an engine that thinks: started and loaded when it is first wanted, and stopped at once at any time.
 *
 * The engine hears nothing while it is inside one call, so stopping ends its worker; the next request starts a new one. */
import { Engine } from './engine';

/** See above. */
export class Thinker {
  private started: { engine: Engine; loaded: Promise<unknown> } | null = null;

  /** `load` brings a fresh engine to the content that is played. */
  constructor(private readonly load: (engine: Engine) => Promise<unknown>) {}

  /** The engine with its content. */
  async engine(): Promise<Engine> {
    if (!this.started) {
      const engine = new Engine();
      this.started = { engine, loaded: this.load(engine) };
    }
    const { engine, loaded } = this.started;
    await loaded;
    return engine;
  }

  /** Ends whatever it thinks about: the calls under way are refused. */
  stop(): void {
    this.started?.engine.close();
    this.started = null;
  }
}
