import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { TextField } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { inputOf, type ThisObject } from './this-object.ts'
import { useChange } from './use-live-schema.ts'

/** What is described: the whole, or one of its columns. */
export interface Described {
  readonly column?: string
  readonly comment: string
}

interface Props {
  readonly of: ThisObject
  readonly what: Described
  readonly onClose: () => void
}

export function CommentObject({ of, what, onClose }: Props) {
  const [comment, setComment] = useState(what.comment)
  const change = useChange(schema.comment)
  const { column } = what
  const confirm = async () => {
    await change.mutateAsync({ ...inputOf(of), comment, ...(column === undefined ? {} : { column }) })
    return true
  }
  return (
    <CatalogDialog
      title={t('catalog.comment.title', { name: column ?? of.name })}
      confirmLabel={t('catalog.comment.confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('catalog.comment.label')}
        help={t('catalog.comment.help')}
        maxLength={LIMITS.commentLength}
        data-autofocus
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
    </CatalogDialog>
  )
}
