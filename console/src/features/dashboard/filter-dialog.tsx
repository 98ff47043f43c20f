import type { Parameter } from '@boathouse/contract/parameters'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { FormDialog, Select, TextArea } from '../../ui/index.ts'

interface Props {
  readonly parameter: Parameter
  readonly onSave: (parameter: Parameter) => void
  readonly onClose: () => void
}

const KINDS = ['text', 'number', 'date', 'choice', 'several'] as const

/** What a filter takes. */
export function FilterDialog({ parameter, onSave, onClose }: Props) {
  const [kind, setKind] = useState(parameter.kind)
  const [options, setOptions] = useState(parameter.options.join('\n'))
  const isChosen = kind === 'choice' || kind === 'several'
  const lines = options.split('\n').map((line) => line.trim())
  const save = async () => {
    // A value of the kind before may be none of this one.
    const value = kind === parameter.kind ? parameter.value : []
    onSave({ ...parameter, kind, value, options: isChosen ? [...new Set(lines.filter(Boolean))] : [] })
    onClose()
  }
  return (
    <FormDialog
      title={t('dashboards.edit.filterTitle', { name: parameter.name })}
      confirmLabel={t('dashboards.edit.keep')}
      isWorking={false}
      refusal={undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <Select
        label={t('dashboards.edit.filterKind')}
        value={kind}
        options={KINDS.map((value) => ({ value, label: t(`parameters.kinds.${value}`) }))}
        onChange={(next) => setKind(KINDS.find((one) => one === next) ?? 'text')}
      />
      {isChosen && (
        <TextArea
          label={t('dashboards.edit.filterOptions')}
          help={t('dashboards.edit.filterOptionsHelp')}
          rows={5}
          value={options}
          onChange={({ target }) => setOptions(target.value)}
        />
      )}
    </FormDialog>
  )
}
