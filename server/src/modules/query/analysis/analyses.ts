import { STANDARD_QUOTES, type Quotes } from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { createFairQueue, type Share } from '../../../kernel/fair-queue.ts'
import { createThread } from '../../../kernel/worker-thread.ts'
import type { NameRules } from '../../../engines/engine/name-rules.ts'
import { type AnalysedStatement, type AnalysedText, analyseStatement, analyseText } from './analysed-text.ts'

/** Up to this many characters a text is analysed where it comes in: that takes a few milliseconds at most. */
const LARGE = 16 * 1024
/** Of large texts, how many one user may have waiting. */
const MOST_WAITING = 16
/** Far more than a text of the greatest length takes. */
const MEMORY_MB = 256

/** Programs send the same short texts again and again. */
const LONGEST_REMEMBERED = 4 * 1024
/** Of all of them together, in characters; some are counted for what is said of a text, however short it is. */
const MOST_REMEMBERED = 256 * 1024
const WEIGHT_OF_TEXT = 500

/** What is handed to the thread. */
export interface LargeText {
  readonly sql: string
  readonly names: NameRules
  readonly quotes: Quotes
}

export interface AnalysisParts {
  /** The file with `worker.ts` as a program of its own. */
  readonly workerPath: () => Promise<string>
  /** Of the engines that statements may run in. */
  readonly names: NameRules
}

type Whose = Pick<Actor, 'accountId' | 'userId'>

const WIDTH = {
  atOnce: 1,
  ranks: {
    text: {
      places: 1_000,
      shares: [
        { most: 8 * MOST_WAITING, of: 'of this account' },
        { most: MOST_WAITING, of: 'of yours' },
      ],
      refusal: ({ most, of }: Share) =>
        new AppError(
          'LimitReached',
          `${most} texts ${of} with more than ${LARGE / 1024} KB are already queued for analysis, the maximum. Send this one again when some have run.`,
        ),
    },
  },
}

/**
 * Texts become statements here. A large one is analysed by a thread of its own, one at a time, accounts and users in
 * turn: nobody else feels how much one of them sends.
 */
export function createAnalyses({ workerPath, names }: AnalysisParts) {
  const queue = createFairQueue(WIDTH)
  const thread = createThread<AnalysedText>({ path: workerPath, memoryMb: MEMORY_MB })
  const remembered = new BoundedMap<AnalysedText>(MOST_REMEMBERED)

  /** What a text says depends on nothing but itself and its quotes. */
  function analyseShort(sql: string, quotes: Quotes): AnalysedText {
    if (sql.length > LONGEST_REMEMBERED) return analyseText(sql, names, quotes)
    const { escapes, doubleIsText, comments = '' } = quotes
    const key = `${escapes} ${doubleIsText} ${comments} ${sql}`
    const known = remembered.get(key)
    if (known) return known
    const analysed = analyseText(sql, names, quotes)
    remembered.set(key, analysed, sql.length + WEIGHT_OF_TEXT)
    return analysed
  }

  return {
    /** Rejects with an `AppError` when the user, or the account, has too many large texts waiting. */
    async analyse(whose: Whose, sql: string, quotes: Quotes = STANDARD_QUOTES): Promise<AnalysedText> {
      if (sql.length <= LARGE) return analyseShort(sql, quotes)
      const path = [whose.accountId, whose.userId]
      const text: LargeText = { sql, names, quotes }
      return queue({ rank: 'text', path }, () => thread.run(text))
    },

    /** A statement that the service has put together of what a user sent: a short one. */
    one: (sql: string, quotes?: Quotes): AnalysedStatement => analyseStatement(sql, names, quotes),

    close: thread.close,
  }
}

export type Analyses = ReturnType<typeof createAnalyses>
