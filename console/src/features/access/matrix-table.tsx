import type { EffectiveGrant, Grant } from '@boathouse/contract/perms'
import type { AccessObject, ObjectType, Privilege } from '@boathouse/contract/privileges'
import { type KeyboardEvent, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { IconCheck, IconKey } from '../../ui/icons.ts'
import { type Cell, cellOf, columnsOf } from './matrix-cells.ts'
import styles from './matrix.module.css'
import { useMay } from './use-change.ts'

interface Props {
  readonly label: string
  readonly type: ObjectType
  /** First all of the kind in the place. */
  readonly objects: readonly AccessObject[]
  readonly nameOf: (object: AccessObject) => string
  readonly grants: readonly EffectiveGrant[]
  /** Of a built-in role: nothing to change. */
  readonly isFixed: boolean
  readonly onGrant: (object: AccessObject, privilege: Privilege) => void
  readonly onRevoke: (grant: Grant) => void
}

interface Place {
  readonly row: number
  readonly column: number
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Objects by privileges: the tab key leads to one cell, arrow keys to the others. */
export function MatrixTable({ label, type, objects, nameOf, grants, isFixed, onGrant, onRevoke }: Props) {
  const privileges = columnsOf(type)
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const mayGrant = useMay('grant:create')
  const mayRevoke = useMay('grant:drop')
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const [rows, columns] = STEPS[event.key] ?? []
    if (rows === undefined || columns === undefined) return
    event.preventDefault()
    const row = Math.min(objects.length - 1, Math.max(0, active.row + rows))
    const column = Math.min(privileges.length - 1, Math.max(0, active.column + columns))
    setActive({ row, column })
    const body = event.currentTarget.closest('tbody')
    body?.rows[row]?.querySelectorAll('button')[column]?.focus()
  }
  return (
    <div className={styles['scroll']}>
      <table className={styles['matrix']} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('access.matrix.object')}</th>
            {privileges.map((privilege) => (
              <th key={privilege} scope="col">
                <code>{privilege}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {objects.map((object, row) => (
            <tr key={object.name}>
              <th scope="row" title={nameOf(object)}>
                {nameOf(object)}
              </th>
              {privileges.map((privilege, column) => {
                const cell = cellOf(grants, object, privilege)
                const may = !isFixed && (cell.own ? mayRevoke : mayGrant)
                return (
                  <td key={privilege}>
                    <button
                      type="button"
                      className={styles['cell']}
                      tabIndex={active.row === row && active.column === column ? 0 : -1}
                      aria-disabled={!may || undefined}
                      aria-label={wordsOf(cell, { name: nameOf(object), privilege })}
                      title={whyOf(cell)}
                      onFocus={() => setActive({ row, column })}
                      onKeyDown={move}
                      onClick={() => {
                        if (!may) return
                        if (cell.own) onRevoke({ ...cell.own, privileges: [privilege] })
                        else onGrant(object, privilege)
                      }}
                    >
                      <Mark of={cell} />
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles['legend']}>
        <span>
          <span className={styles['box']} data-on>
            <IconCheck size={12} aria-hidden />
          </span>
          {t('access.matrix.granted')}
        </span>
        <span>
          <IconKey size={14} aria-hidden />
          {t('access.matrix.withOption')}
        </span>
        <span>
          <IconCheck size={14} aria-hidden />
          {t('access.matrix.inherited')}
        </span>
      </p>
    </div>
  )
}

function Mark({ of: { own, isGrantable, inherited } }: { of: Cell }) {
  if (own)
    return (
      <>
        <span className={styles['box']} data-on>
          <IconCheck size={12} aria-hidden />
        </span>
        {isGrantable && <IconKey size={14} aria-hidden />}
      </>
    )
  return inherited.length > 0 ? <IconCheck size={16} aria-hidden /> : <span className={styles['box']} />
}

/** From where it comes: through roles, or by a grant on all of the kind. */
const wayOf = ({ path, objectText }: EffectiveGrant): string =>
  t('access.matrix.through', { path: path.map(({ name }) => name).join(' → '), object: objectText })

const whyOf = ({ inherited }: Cell): string | undefined => inherited.map(wayOf).join('\n') || undefined

function wordsOf(cell: Cell, about: { readonly name: string; readonly privilege: string }): string {
  const { own, isGrantable, inherited } = cell
  const [nearest] = inherited
  if (own) return t(isGrantable ? 'access.matrix.cell.option' : 'access.matrix.cell.own', about)
  if (nearest) return t('access.matrix.cell.inherited', { ...about, way: wayOf(nearest) })
  return t('access.matrix.cell.none', about)
}
