import type { Log } from '../kernel/log.ts'

export interface Job {
  readonly name: string
  readonly everyMs: number
  run(): Promise<unknown>
}

/** Timers that call services. A run that fails is logged and comes again; one that is slow is not doubled. */
export function startJobs(jobs: readonly Job[], log: Log) {
  const running = new Map<string, Promise<unknown>>()
  const start = (job: Job): void => {
    if (running.has(job.name)) return
    const run = job
      .run()
      .catch((error: unknown) => log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => running.delete(job.name))
    running.set(job.name, run)
  }
  const timers = jobs.map((job) => setInterval(() => start(job), job.everyMs))

  return {
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}
