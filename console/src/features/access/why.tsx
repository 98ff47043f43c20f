import type { Output } from '@boathouse/contract/call'
import { type PathStep, perms } from '@boathouse/contract/perms'
import { type AccessObject, objectOf, type Privilege, PRIVILEGES } from '@boathouse/contract/privileges'
import { Fragment, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconArrowRight } from '../../ui/icons.ts'
import { Chips, Select, Skeleton, Stack, StateDot } from '../../ui/index.ts'
import styles from './access.module.css'
import { ObjectChooser } from './object-chooser.tsx'
import { ToLink } from './to-link.tsx'

const privilegesOn = ({ type }: AccessObject): readonly Privilege[] => PRIVILEGES[type]
const firstOn = (object: AccessObject): Privilege => PRIVILEGES[object.type][0]

/** Why a user may do something, as the way from them to the grant; or what is missing and which role would help. */
export function Why({ user }: { user: string }) {
  const [object, setObject] = useState(() => objectOf('table'))
  const [privilege, setPrivilege] = useState<Privilege>('SELECT')
  const { data, error } = useCall(
    perms.explain,
    { user, privilege, object },
    { silent: true, staleTime: 0, placeholderData: (before) => before },
  )
  const choose = (next: AccessObject) => {
    setObject(next)
    if (!privilegesOn(next).includes(privilege)) setPrivilege(firstOn(next))
  }
  return (
    <Stack>
      <h2 className={styles['heading']}>{t('access.why.title', { name: user })}</h2>
      <div className={styles['question']}>
        <ObjectChooser
          type={object.type}
          chosen={[object]}
          onType={(type) => choose(objectOf(type))}
          onToggle={choose}
          isSingle
        />
        <Select
          label={t('access.why.privilege')}
          options={privilegesOn(object).map((one) => ({ value: one, label: one }))}
          value={privilege}
          onChange={(chosen) =>
            setPrivilege(privilegesOn(object).find((one) => one === chosen) ?? firstOn(object))
          }
        />
      </div>
      <section className={styles['answer']} aria-live="polite" aria-label={t('access.why.path')}>
        {error && <p className={styles['refusal']}>{error.message}</p>}
        {!error && !data && <Skeleton height={48} />}
        {!error && data && <Answer answer={data} />}
      </section>
      <p className={styles['note']}>{t('access.why.onlyActive')}</p>
    </Stack>
  )
}

function Answer({ answer }: { answer: Output<typeof perms.explain> }) {
  if (answer.allowed)
    return (
      <>
        <StateDot tone="ok">{t('access.why.allowed')}</StateDot>
        <Path steps={answer.path} />
      </>
    )
  return (
    <>
      <StateDot tone="err">{t('access.why.refused')}</StateDot>
      <p className={styles['strong']}>{t('access.why.missing', { missing: answer.missing })}</p>
      {answer.rolesThatHelp.length === 0 ? (
        <p>{t('access.why.nobodyHelps')}</p>
      ) : (
        <>
          <p>{t('access.why.helps')}</p>
          <Chips
            chips={answer.rolesThatHelp.map((role) => ({
              id: role,
              content: <ToLink kind="role" name={role} />,
            }))}
          />
        </>
      )}
    </>
  )
}

/** What leads from one step to the next. */
function edgeOf(from: PathStep, to: PathStep): string {
  if (to.kind === 'grant') return t(from.kind === 'user' ? 'access.why.given' : 'access.why.grants')
  return t(from.kind === 'user' ? 'access.why.holds' : 'access.why.inherits')
}

function Path({ steps }: { steps: readonly PathStep[] }) {
  return (
    <ol className={styles['path']} aria-label={t('access.why.path')}>
      {steps.map((step, index) => {
        const before = steps[index - 1]
        return (
          <Fragment key={`${step.kind} ${step.name}`}>
            {before && (
              <li className={styles['arrow']}>
                {edgeOf(before, step)}
                <IconArrowRight size={16} stroke={1.6} aria-hidden />
              </li>
            )}
            <li className={styles['node']} data-kind={step.kind}>
              {step.kind === 'role' ? <ToLink kind="role" name={step.name} /> : step.name}
            </li>
          </Fragment>
        )
      })}
    </ol>
  )
}
