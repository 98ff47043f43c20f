import { parametersFor, type ParameterProblem, parameterProblem } from '@boathouse/contract/bound-parameters'
import type { Parameter } from '@boathouse/contract/parameters'
import { useEffect, useRef, useState } from 'react'
import '../../../i18n/parameters.ts'
import { t } from '../../../i18n/texts.ts'
import { ParameterField, type ParameterFieldProps } from '../../../statement/parameters/parameter-field.tsx'
import { IconButton } from '../../../ui/index.ts'
import { IconAdjustments } from '../icons.ts'
import { ParameterDialog } from './parameter-dialog.tsx'
import type { UnboundParameter } from './use-bound-run.ts'
import { useLinkedValues } from './use-linked-values.ts'
import { useOptions } from './use-options.ts'
import { useParameters } from './use-parameters.ts'
import styles from '../../../statement/parameters/parameters.module.css'

interface Props {
  readonly tabId: string
  readonly names: readonly string[]
  readonly problem: UnboundParameter | null
}

/** Its choices may be what a query returns in the place of the tab. */
function FieldOfTab({ tabId, ...field }: Omit<ParameterFieldProps, 'choices'> & { readonly tabId: string }) {
  return <ParameterField choices={useOptions(tabId, field.parameter)} {...field} />
}

/** The values of a query, above its text. */
export function ParameterStrip({ tabId, names, problem }: Props) {
  const strip = useRef<HTMLElement>(null)
  const { known, change } = useParameters(tabId)
  const [described, setDescribed] = useState<string | null>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const parameters = parametersFor(names, known)
  useLinkedValues(tabId, parameters, change)
  useEffect(() => {
    const fields = [...(strip.current?.querySelectorAll<HTMLElement>('[data-parameter]') ?? [])]
    const asked = fields.find(({ dataset }) => dataset['parameter'] === problem?.name)
    asked?.querySelector('input')?.focus()
  }, [problem])
  /** A value is judged when its field is left, and what is missing when it is needed. */
  const problemOf = (parameter: Parameter): ParameterProblem | null => {
    const found = parameterProblem(parameter)
    const isNeeded = problem?.name === parameter.name
    return isNeeded || (found !== 'missing' && left.has(parameter.name)) ? found : null
  }
  const shown = parameters.find(({ name }) => name === described)
  return (
    <section ref={strip} className={styles['strip']} aria-label={t('parameters.label')}>
      {parameters.map((parameter) => (
        <div key={parameter.name} className={styles['parameter']} data-parameter={parameter.name}>
          <FieldOfTab
            tabId={tabId}
            parameter={parameter}
            problem={problemOf(parameter)}
            onLeft={() => setLeft((names) => new Set(names).add(parameter.name))}
            onChange={(value) => change({ ...parameter, value })}
          />
          <IconButton
            size="sm"
            label={t('parameters.describe', { name: parameter.name })}
            onClick={() => setDescribed(parameter.name)}
          >
            <IconAdjustments size={16} stroke={1.6} aria-hidden />
          </IconButton>
        </div>
      ))}
      {shown && <ParameterDialog parameter={shown} onSave={change} onClose={() => setDescribed(null)} />}
    </section>
  )
}
