import { editor } from '@boathouse/contract/editor'
import type { QueryVersion } from '@boathouse/contract/editor-versions'
import { LIMITS } from '@boathouse/contract/limits'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { Button, TextField } from '../../../ui/index.ts'
import styles from './versions.module.css'

interface Props {
  readonly tabId: string
  readonly version: QueryVersion
  readonly onDone: () => void
}

export function VersionName({ tabId, version, onDone }: Props) {
  const [name, setName] = useState(version.name)
  const save = useAction(editor.nameVersion, { refreshes: [editor.versions] })
  return (
    <form
      className={styles['name']}
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending)
          save.mutate({ tabId, versionId: version.versionId, name: name.trim() }, { onSuccess: onDone })
      }}
    >
      <TextField
        label={t('versions.nameLabel')}
        help={t('versions.nameHelp')}
        value={name}
        maxLength={LIMITS.versionNameLength}
        data-autofocus
        onChange={(event) => setName(event.target.value)}
      />
      <Button onClick={onDone}>{t('ui.cancel')}</Button>
      <Button type="submit" variant="primary" loading={save.isPending}>
        {t('versions.saveName')}
      </Button>
    </form>
  )
}
