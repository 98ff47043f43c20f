import type { SignInDoor, SignInOutcome } from '@boathouse/contract'

/** What happened in this server that other rooms react to. Past tense; nothing durable depends on them. */
interface ServerEvents {
  loginEnded: { readonly loginId: string }
  /** An API key was revoked or got another secret: who came with it is asked whether they may stay. */
  keyChanged: { readonly keyId: string }
  /** The addresses that have access to the account have changed. */
  firewallChanged: { readonly accountId: string; readonly letsIn: (address: string) => boolean }
  /** Private endpoints were approved, or are not any more. */
  privateLinksChanged: Record<string, never>
  /** A program has signed in, or tried to; `user` is who it says it is, `userId` null where nobody proved to be that. */
  programCame: {
    readonly accountId: string
    readonly userId: string | null
    readonly user: string
    readonly door: SignInDoor
    readonly outcome: SignInOutcome
    readonly clientIp: string
    readonly program: string
  }
  /** A message for open consoles of the account, or of one user in it. */
  announced: {
    readonly seq: number
    readonly accountId: string
    readonly userId: string | null
    readonly type: string
    readonly data: unknown
  }
}

type Listener<K extends keyof ServerEvents> = (event: ServerEvents[K]) => void

export interface Events {
  emit<K extends keyof ServerEvents>(name: K, event: ServerEvents[K]): void
  on<K extends keyof ServerEvents>(name: K, listener: Listener<K>): () => void
}

export function createEvents(): Events {
  const listeners: { [K in keyof ServerEvents]: Set<Listener<K>> } = {
    loginEnded: new Set(),
    keyChanged: new Set(),
    firewallChanged: new Set(),
    privateLinksChanged: new Set(),
    programCame: new Set(),
    announced: new Set(),
  }
  return {
    emit(name, event) {
      for (const listener of listeners[name]) listener(event)
    },
    on(name, listener) {
      listeners[name].add(listener)
      return () => listeners[name].delete(listener)
    },
  }
}
