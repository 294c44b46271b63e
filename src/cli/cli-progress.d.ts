/** The part of cli-progress that the commands use; the package has no declarations. */
declare module 'cli-progress' {
  export class SingleBar {
    constructor(options: {
      readonly format: () => string;
      readonly stream: NodeJS.WritableStream;
      readonly hideCursor: boolean;
      /** Redraws per second. */
      readonly fps: number;
      /** Whether to stop at SIGINT. */
      readonly gracefulExit: boolean;
    });
    start(total: number, done: number): void;
    update(done: number): void;
    stop(): void;
  }
}
