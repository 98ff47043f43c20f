import { lazy } from 'react'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

type Load<Part> = () => Promise<{ default: Part }>

async function fetched<Part>(load: Load<Part>, waitMs = FIRST_WAIT_MS): Promise<{ default: Part }> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return fetched(load, Math.min(2 * waitMs, LONGEST_WAIT_MS))
  }
}

/**
 * A part that a page can do without for a while. One that cannot be fetched, because the connection was lost meanwhile,
 * would else take the whole page with it, and what is being written there.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => fetched(load))
