import { LIMITS } from '@boathouse/contract/limits'
import { ObjectPart } from '@boathouse/contract/schema-objects'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { ruleOf } from '../../lib/form.ts'
import { useProblems } from '../../ui/index.ts'
import type { Target } from './target-panel.tsx'

/** The name of a file as that of a table. */
const tableFor = (name: string): string =>
  name
    .replace(/\.(gz|zst|zip)$/i, '')
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 64)

const numberIn = (text: string): number | null => {
  const value = Number(text)
  return /^\d+$/.test(text.trim()) && value <= LIMITS.rejectedRows ? value : null
}

const nameProblem = (name: string): string | undefined =>
  name === '' ? t('load.target.nameMissing') : ruleOf(ObjectPart)(name, null)

/** Where a file goes: into the table that was chosen before, or into a new one with the name of the file. */
export function useTarget(table: string | undefined, fileName: string) {
  const [target, setTarget] = useState<Target>(() => ({
    makesTable: table === undefined,
    tableName: table ?? tableFor(fileName),
    mostRejected: '0',
    widens: true,
    writes: 'append',
    keys: [],
  }))
  const mostRejected = numberIn(target.mostRejected)
  const tableName = target.tableName.trim()
  const problems = useProblems({
    tableName: target.makesTable ? nameProblem(tableName) : undefined,
    mostRejected:
      mostRejected === null ? t('load.target.notANumber', { most: LIMITS.rejectedRows }) : undefined,
  })
  return { target, setTarget, problems, mostRejected, tableName }
}
