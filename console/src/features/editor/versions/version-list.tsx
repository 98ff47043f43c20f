import type { QueryVersion } from '@boathouse/contract/editor-versions'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import styles from './versions.module.css'

interface Props {
  readonly versions: readonly QueryVersion[]
  readonly chosenId: string | undefined
  readonly onChoose: (versionId: string) => void
}

/** Who wrote each, when, and whether it was run. */
export function VersionList({ versions, chosenId, onChoose }: Props) {
  const [now] = useState(() => Date.now())
  return (
    <ul className={styles['list']} aria-label={t('versions.list')}>
      {versions.map((version) => (
        <li key={version.versionId}>
          <button
            type="button"
            className={styles['version']}
            aria-current={version.versionId === chosenId}
            title={formatDateTime(version.savedAt)}
            onClick={() => onChoose(version.versionId)}
          >
            <b>{version.name || formatRelative(version.savedAt, now)}</b>
            <small>{factsOf(version, now)}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

const factsOf = ({ name, userName, savedAt, ranAt }: QueryVersion, now: number): string =>
  [
    userName,
    name !== '' && formatRelative(savedAt, now),
    ranAt !== '' && t('versions.ran', { when: formatRelative(ranAt, now) }),
  ]
    .filter(Boolean)
    .join(' · ')
