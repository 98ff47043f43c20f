import { parametersFor, type ParameterProblem, parameterProblem } from '@boathouse/contract/bound-parameters'
import type { Parameter } from '@boathouse/contract/parameters'
import { useEffect, useRef, useState } from 'react'
import '../../../i18n/parameters.ts'
import { t } from '../../../i18n/texts.ts'
import { IconButton } from '../../../ui/index.ts'
import { IconAdjustments } from '../icons.ts'
import { ParameterDialog } from './parameter-dialog.tsx'
import { ParameterField } from './parameter-field.tsx'
import type { UnboundParameter } from './use-bound-run.ts'
import { useLinkedValues } from './use-linked-values.ts'
import { useParameters } from './use-parameters.ts'
import styles from './parameters.module.css'

interface Props {
  readonly tabId: string
  readonly names: readonly string[]
  readonly problem: UnboundParameter | null
}

/** A value that is there is judged at once; one that is missing only when it is needed. */
function problemOf(parameter: Parameter, asked: UnboundParameter | null): ParameterProblem | null {
  const problem = parameterProblem(parameter)
  return problem === 'missing' && asked?.name !== parameter.name ? null : problem
}

/** The values of a query, above its text. */
export function ParameterStrip({ tabId, names, problem }: Props) {
  const strip = useRef<HTMLElement>(null)
  const { known, change } = useParameters(tabId)
  const [described, setDescribed] = useState<string | null>(null)
  const parameters = parametersFor(names, known)
  useLinkedValues(tabId, parameters, change)
  useEffect(() => {
    const fields = [...(strip.current?.querySelectorAll<HTMLElement>('[data-parameter]') ?? [])]
    const asked = fields.find(({ dataset }) => dataset['parameter'] === problem?.name)
    asked?.querySelector('input')?.focus()
  }, [problem])
  const shown = parameters.find(({ name }) => name === described)
  return (
    <section ref={strip} className={styles['strip']} aria-label={t('parameters.label')}>
      {parameters.map((parameter) => (
        <div key={parameter.name} className={styles['parameter']} data-parameter={parameter.name}>
          <ParameterField
            tabId={tabId}
            parameter={parameter}
            problem={problemOf(parameter, problem)}
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
