import { LIMITS } from '@boathouse/contract/limits'
import { type Parameter, type ParameterKind } from '@boathouse/contract/parameters'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { CodeArea, FormDialog, Select, TextArea } from '../../../ui/index.ts'
import { onlyReads } from '../running/only-reads.ts'
import styles from '../../../statement/parameters/parameters.module.css'

const KINDS = ['text', 'number', 'date', 'choice', 'several'] as const
const TYPES = ['text', 'number'] as const

interface Props {
  readonly parameter: Parameter
  readonly onSave: (parameter: Parameter) => void
  readonly onClose: () => void
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** What a parameter takes. */
export function ParameterDialog({ parameter, onSave, onClose }: Props) {
  const { name } = parameter
  const [kind, setKind] = useState(parameter.kind)
  const [of, setOf] = useState(parameter.of)
  const [options, setOptions] = useState(parameter.options.join('\n'))
  const [optionsSql, setOptionsSql] = useState(parameter.optionsSql)
  const isChosen = kind === 'choice' || kind === 'several'
  const listed = linesOf(options)
  const tooMany = listed.length > LIMITS.parameterOptions
  const isTooLong = options.length + optionsSql.length > LIMITS.parametersLength / 2
  const writes = optionsSql.trim() !== '' && !onlyReads(optionsSql)
  const save = async () => {
    if (tooMany || isTooLong || writes) return
    // A value of the kind before may be none of this one.
    const value = kind === parameter.kind ? parameter.value : []
    const chosen = isChosen ? { of, options: listed, optionsSql: optionsSql.trim() } : {}
    onSave({ ...parameter, kind, ...chosen, value })
    onClose()
  }
  return (
    <FormDialog
      title={t('parameters.title', { name })}
      confirmLabel={t('parameters.save')}
      isWorking={false}
      refusal={undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {kind === 'range' ? (
        <p className={styles['note']}>{t('parameters.isRange', { name })}</p>
      ) : (
        <>
          <Select
            label={t('parameters.kind')}
            options={KINDS.map((value) => ({ value, label: t(`parameters.kinds.${value}`) }))}
            value={kind}
            onChange={(next) => setKind(next as ParameterKind)}
          />
          <p className={styles['note']}>{t('parameters.rangeHint', { name })}</p>
        </>
      )}
      {isChosen && (
        <>
          <Select
            label={t('parameters.of')}
            options={TYPES.map((value) => ({ value, label: t(`parameters.kinds.${value}`) }))}
            value={of}
            onChange={(next) => setOf(next === 'number' ? 'number' : 'text')}
          />
          <TextArea
            label={t('parameters.options')}
            help={t('parameters.optionsHelp')}
            error={
              tooMany || isTooLong ? t('parameters.tooMany', { count: LIMITS.parameterOptions }) : undefined
            }
            rows={4}
            value={options}
            onChange={({ target }) => setOptions(target.value)}
          />
          <CodeArea
            label={t('parameters.optionsSql')}
            help={t('parameters.optionsSqlHelp')}
            error={writes ? t('parameters.onlyReads') : undefined}
            rows={3}
            value={optionsSql}
            onChange={({ target }) => setOptionsSql(target.value)}
          />
        </>
      )}
    </FormDialog>
  )
}
