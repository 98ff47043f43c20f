import { useState } from 'react'
import { t } from '../../../../i18n/texts.ts'
import { Button } from '../../../../ui/index.ts'
import type { ValueNode } from './value-tree.ts'
import styles from './value.module.css'

/** More at once would be slow to lay out, and nobody reads more. */
const SHOWN_AT_ONCE = 100

interface Member {
  readonly name: string
  readonly node: ValueNode
}

function membersOf(node: ValueNode): readonly Member[] {
  if (node.kind === 'leaf') return []
  if (node.kind === 'members') return node.items.map(([name, value]) => ({ name, node: value }))
  return node.items.map((value, at) => ({ name: String(at), node: value }))
}

/** Members below one another; each that has some of its own opens and closes. */
export function ValueTreeView({ node }: { node: ValueNode }) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE)
  const members = membersOf(node)
  const left = members.length - shown
  return (
    <ul className={styles['tree']}>
      {members.slice(0, shown).map((member, at) => (
        <li key={at}>
          <TreeMember member={member} />
        </li>
      ))}
      {left > 0 && (
        <li>
          <Button size="sm" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            {t('resultView.value.more', { count: left, shown: left.toLocaleString('en-US') })}
          </Button>
        </li>
      )}
    </ul>
  )
}

function TreeMember({ member: { name, node } }: { member: Member }) {
  const [isOpen, setOpen] = useState(false)
  if (node.kind === 'leaf')
    return (
      <>
        <span className={styles['member']}>{name}</span> {node.text}
      </>
    )
  const count = node.items.length
  const sign = node.kind === 'list' ? '[ ]' : '{ }'
  if (count === 0)
    return (
      <>
        <span className={styles['member']}>{name}</span> {sign}
      </>
    )
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles['member']}>{name}</span> {sign}{' '}
        <span className={styles['note']}>{count.toLocaleString('en-US')}</span>
      </summary>
      {isOpen && <ValueTreeView node={node} />}
    </details>
  )
}
