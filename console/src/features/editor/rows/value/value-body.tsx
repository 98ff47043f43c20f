import type { Field } from '@boathouse/contract/realtime'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import '../../../../i18n/result-view.ts'
import { t } from '../../../../i18n/texts.ts'
import { Segmented } from '../../../../ui/index.ts'
import { layOutNested } from '../nested-layout.ts'
import { bytesOf, hexDump } from './hex-dump.ts'
import { readValueTree } from './value-tree.ts'
import type { ValueNode } from './value-tree.ts'
import styles from './value.module.css'

const ValueTreeView = lazy(async () => ({
  default: (await import('./value-tree-view.tsx')).ValueTreeView,
}))

type Look = 'text' | 'tree' | 'bytes'

interface Props {
  readonly field: Field
  readonly text: string
  /** Not all of it is here, so its form cannot be read. */
  readonly isPart: boolean
  readonly firstLook?: Look
}

const isNested = ({ family, valueType }: Field): boolean => family === 'nested' || valueType?.kind === 'json'

/** A value as text, and where it has a form, as a tree or as bytes. */
export function ValueBody({ field, text, isPart, firstLook = 'text' }: Props) {
  const [chosen, setLook] = useState<Look>(firstLook)
  const tree = useMemo(() => (isPart ? null : treeOf(field, text)), [field, text, isPart])
  const looks: Look[] = ['text']
  if (tree) looks.push('tree')
  if (field.family === 'binary' && field.valueType?.kind !== 'bits') looks.push('bytes')
  const look = looks.includes(chosen) ? chosen : (looks[0] ?? 'text')
  return (
    <>
      {looks.length > 1 && (
        <div className={styles['looks']}>
          <Segmented
            label={t('resultView.value.look')}
            value={look}
            segments={looks.map((value) => ({ value, label: t(`resultView.value.looks.${value}`) }))}
            onChange={setLook}
          />
        </div>
      )}
      <ValueBlock label={field.name}>
        {look === 'tree' && tree && (
          <Suspense>
            <ValueTreeView node={tree} />
          </Suspense>
        )}
        {look === 'bytes' && hexDump(bytesOf(text))}
        {look === 'text' && (isNested(field) && !isPart ? layOutNested(text) : text)}
      </ValueBlock>
    </>
  )
}

/** A text that holds JSON is one, too. */
function treeOf(field: Field, text: string): ValueNode | null {
  const mayBe = isNested(field) || (field.family === 'text' && /^\s*[[{]/.test(text))
  return mayBe ? readValueTree(text) : null
}

export function ValueBlock({ label, children }: { label: string; children: ReactNode }) {
  const words = t('editor.cell.value', { column: label })
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles['value']} tabIndex={0} role="region" aria-label={words}>
      {children}
    </div>
  )
}
