import type { Config, ReadConfig } from '../core/config/config.ts'

/** What the Cron Trigger starts every minute. A job that fails does not affect the others. */
export async function runSchedule(env: Env, readConfig: ReadConfig): Promise<void> {
  const config = readConfig(env)
  await Promise.all(
    config.features
      .flatMap(({ schedule = {} }) => Object.entries(schedule))
      .map(([name, run]) => runJob(name, () => run(env, config))),
  )
}

/** The next run retries a job that failed. */
async function runJob(job: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    console.error(JSON.stringify({ event: 'schedule_failed', job, cause: String(error) }))
  }
}

declare module '../core/config/feature.ts' {
  interface Feature {
    /** What the Cron Trigger starts every minute, by name. The log names a job that fails. */
    schedule?: Readonly<Record<string, (env: Env, config: Config) => Promise<void>>>
  }
}
