import { AppError } from './app-error.ts'

/** How many may wait of one account, one user, one address: of whatever a path names at this level. */
export interface Share {
  readonly most: number
  /** In a sentence, as in 'of this account'. */
  readonly of: string
}

interface Rank {
  /** Places of this rank in all: no rank fills those of another. */
  readonly places: number
  /** For each level of a path, from the outside in. */
  readonly shares: readonly Share[]
  /** The refusal when a share is full, if it is not the usual one. */
  readonly refusal?: (share: Share) => AppError
}

export interface QueueWidth<Name extends string> {
  readonly atOnce: number
  /** The first comes first. */
  readonly ranks: Readonly<Record<Name, Rank>>
}

export interface Priority<Name extends string> {
  readonly rank: Name
  /** Whose it is, from the outside in: account and user, or the address where nobody is known yet. */
  readonly path: readonly string[]
}

interface Branch {
  waiting: number
  /** By the next name of the path, the one whose priority it is first. */
  readonly below: Map<string, Branch>
  readonly jobs: (() => void)[]
}

/** Of this many turns one starts with the last rank: the first rank never holds up the others forever. */
const TURNS_OF_FIRST = 8

const newBranch = (): Branch => ({ waiting: 0, below: new Map(), jobs: [] })

const refused = (why: string) =>
  new AppError('TooManyAttempts', `Too many requests at once${why}. Wait a few seconds, then try again.`)

const shareIsFull = ({ most, of }: Share) => refused(`: ${most} ${of} wait already, the most there can be`)

/** Throws when there is no place left for it; nothing is changed then. */
function requirePlace(root: Branch, rank: Rank, path: readonly string[]): void {
  let branch: Branch | undefined = root
  for (const [level, name] of path.entries()) {
    branch = branch?.below.get(name)
    const share = rank.shares[level]
    if (branch && share && branch.waiting >= share.most) throw (rank.refusal ?? shareIsFull)(share)
  }
  if (root.waiting >= rank.places) throw refused('')
}

function put(root: Branch, path: readonly string[], job: () => void): void {
  let branch = root
  branch.waiting++
  for (const name of path) {
    const next = branch.below.get(name) ?? newBranch()
    branch.below.set(name, next)
    next.waiting++
    branch = next
  }
  branch.jobs.push(job)
}

/** A served branch goes to the end of the ring, on every level. */
function take(branch: Branch): (() => void) | undefined {
  if (branch.waiting === 0) return undefined
  branch.waiting--
  const own = branch.jobs.shift()
  if (own) return own
  const [first] = branch.below
  if (!first) return undefined
  const [name, next] = first
  const job = take(next)
  branch.below.delete(name)
  if (next.waiting > 0) branch.below.set(name, next)
  return job
}

/**
 * Work that is done a few at a time. Accounts take turns, within an account its users, and each of them has a share of
 * the places: however much one sends, another waits for what is being done and for one priority of each of the others.
 */
export function createFairQueue<Name extends string>({ atOnce, ranks }: QueueWidth<Name>) {
  const roots = new Map<string, Branch>(Object.keys(ranks).map((name) => [name, newBranch()]))
  let running = 0
  let served = 0

  function takeNext(): (() => void) | undefined {
    const inOrder = [...roots.values()]
    served = (served + 1) % TURNS_OF_FIRST
    for (const root of served === 0 ? inOrder.toReversed() : inOrder) {
      const job = take(root)
      if (job) return job
    }
    return undefined
  }

  async function waitFor({ rank, path }: Priority<Name>): Promise<void> {
    const root = roots.get(rank) ?? newBranch()
    requirePlace(root, ranks[rank], path)
    await new Promise<void>((resolve) => put(root, path, resolve))
  }

  return async <T>(priority: Priority<Name>, work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++
    else await waitFor(priority)
    try {
      return await work()
    } finally {
      const next = takeNext()
      if (next) next()
      else running--
    }
  }
}
