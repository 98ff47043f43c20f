import type { Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'

export type TransactionStatement =
  | { readonly does: 'begin'; readonly isReadOnly: boolean }
  | {
      readonly does: 'commit' | 'rollback'
      /** Another one is begun at once. */
      readonly chains: boolean
      /** The connection is closed behind it. */
      readonly releases: boolean
    }

/**
 * BEGIN [WORK|TRANSACTION] [READ ONLY|READ WRITE], START TRANSACTION [READ ONLY|READ WRITE|WITH CONSISTENT SNAPSHOT, …], and
 * COMMIT|END|ROLLBACK|ABORT [WORK|TRANSACTION] [AND [NO] CHAIN] [[NO] RELEASE]
 */
export function readTransaction(statement: Piece): TransactionStatement | null {
  const reader = openTokenReader(statement)
  const verb = reader.take('BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT')
  if (verb === null) return null
  const noise = reader.take('WORK', 'TRANSACTION')
  if (verb === 'START' && noise !== 'TRANSACTION') return null
  const read =
    verb === 'BEGIN' || verb === 'START'
      ? readBegin(reader)
      : readEnd(reader, verb === 'ROLLBACK' || verb === 'ABORT' ? 'rollback' : 'commit')
  return reader.left() === 0 ? read : null
}

function readBegin(reader: TokenReader): TransactionStatement | null {
  let isReadOnly = false
  if (reader.left() === 0) return { does: 'begin', isReadOnly }
  do {
    // Every transaction has its snapshot.
    if (reader.takeAll('WITH', 'CONSISTENT', 'SNAPSHOT') || reader.takeAll('READ', 'WRITE')) continue
    if (!reader.takeAll('READ', 'ONLY')) return null
    isReadOnly = true
  } while (reader.take(','))
  return { does: 'begin', isReadOnly }
}

function readEnd(reader: TokenReader, does: 'commit' | 'rollback'): TransactionStatement {
  const chains = !reader.takeAll('AND', 'NO', 'CHAIN') && reader.takeAll('AND', 'CHAIN')
  const releases = !reader.takeAll('NO', 'RELEASE') && reader.take('RELEASE') !== null
  return { does, chains, releases }
}

export interface SavepointStatement {
  readonly does: 'set' | 'undo' | 'release'
  /** In small letters. */
  readonly name: string
}

/** SAVEPOINT name, ROLLBACK [WORK] TO [SAVEPOINT] name, RELEASE SAVEPOINT name */
export function readSavepoint(statement: Piece): SavepointStatement | null {
  const reader = openTokenReader(statement)
  const does = readVerb(reader)
  const name = does && reader.value()
  return name && reader.left() === 0 ? { does, name: name.toLowerCase() } : null
}

function readVerb(reader: TokenReader): SavepointStatement['does'] | null {
  if (reader.take('SAVEPOINT')) return 'set'
  if (reader.takeAll('RELEASE', 'SAVEPOINT')) return 'release'
  if (!reader.take('ROLLBACK', 'ABORT')) return null
  reader.take('WORK', 'TRANSACTION')
  if (!reader.take('TO')) return null
  reader.take('SAVEPOINT')
  return 'undo'
}
