/** What the Vitest plugin imports the worker with. */
interface ModuleRunner {
  import(path: string): Promise<unknown>
}

declare const __vitest_mocker__: { moduleRunner: ModuleRunner }

/** `main` of vitest.config.ts, of which the plugin imports the full path. */
const WORKER = /\/(src\/index|test\/worker|test\/matrix\/worker)\.ts$/

/**
 * The Vitest plugin imports the worker again for each request and each call of a Durable Object,
 * for which it sends two messages to another process. They took longer than most of the calls
 * themselves. With this, it imports the worker once.
 */
export function keepWorkerModule(): void {
  const { moduleRunner } = __vitest_mocker__
  // The files that share a runtime also share the runner.
  if (Object.hasOwn(moduleRunner, 'import')) return
  const importModule = moduleRunner.import.bind(moduleRunner)
  let worker: unknown
  moduleRunner.import = async (path) => {
    if (!WORKER.test(path)) return importModule(path)
    worker ??= await importModule(path)
    return worker
  }
}
