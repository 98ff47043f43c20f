import { useState } from 'react'
import { t } from '../i18n/texts.ts'
import { NameField } from './name-field.tsx'
import { useProblems } from './problems.ts'

/** What cannot be undone is named by the user who does it. */
export function useTypedName(name: string, mismatch = t('ui.typedName.mismatch')) {
  const [typed, setTyped] = useState('')
  const problems = useProblems({ typed: typed === name ? undefined : mismatch })
  return {
    isEmpty: typed === '',
    isRight: typed === name,
    /** True: it is the name. Else the field says that it is not. */
    accept: () => problems.accept(),
    field: (
      <NameField
        {...problems.of('typed')}
        label={t('ui.typedName.label', { name })}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    ),
  }
}
