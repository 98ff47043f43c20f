import type { SeenPresence } from '@boathouse/contract/editor-live'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import styles from './together.module.css'

/** Others who are in the text, each with where they are. */
export type Peers = ReadonlyMap<string, SeenPresence>

export const setPeers = StateEffect.define<Peers>()

const COLOURS = 8

/** The same for a name in every window. */
export const colourOf = (name: string): string => {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return `var(--series-${1 + (sum % COLOURS)})`
}

class PeerCursor extends WidgetType {
  constructor(readonly user: string) {
    super()
  }

  override eq(other: PeerCursor): boolean {
    return other.user === this.user
  }

  override toDOM(): HTMLElement {
    const cursor = document.createElement('span')
    cursor.className = styles['cursor'] ?? ''
    cursor.style.setProperty('--peer', colourOf(this.user))
    // Drawn by the style sheet, so that it is no part of the text.
    cursor.dataset['name'] = this.user
    return cursor
  }
}

function decorationsOf(peers: Peers, length: number): DecorationSet {
  const within = (offset: number) => Math.min(offset, length)
  const marks = [...peers.values()].flatMap(({ user, anchor, head }) => {
    const [from, to] = [within(Math.min(anchor, head)), within(Math.max(anchor, head))]
    const cursor = Decoration.widget({ widget: new PeerCursor(user), side: 1 }).range(within(head))
    if (from === to) return [cursor]
    const style = `background-color: color-mix(in srgb, ${colourOf(user)} 25%, transparent)`
    return [Decoration.mark({ attributes: { style } }).range(from, to), cursor]
  })
  return Decoration.set(marks, true)
}

/** Cursors and selections of others, which move with the text. */
export const peerCursors = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const change = transaction.effects.find((effect) => effect.is(setPeers))
    if (change) return decorationsOf(change.value, transaction.newDoc.length)
    return transaction.docChanged ? shown.map(transaction.changes) : shown
  },
  provide: (field) => EditorView.decorations.from(field),
})
