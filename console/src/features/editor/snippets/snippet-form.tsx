import { type Snippet, snippetCalls, SnippetName, SnippetText } from '@boathouse/contract/editor-snippets'
import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { ruleOf, useForm } from '../../../lib/form.ts'
import { Button, CodeArea, NameField, Refusal } from '../../../ui/index.ts'
import styles from './snippets.module.css'

interface Props {
  readonly snippet: Snippet
  readonly onDone: () => void
}

const SHOWN_LINES = 8

export function SnippetForm({ snippet, onDone }: Props) {
  const save = useAction(snippetCalls.saveSnippet, { refreshes: [snippetCalls.snippets], silent: true })
  const form = useForm(
    { name: snippet.name, text: snippet.text },
    { name: ruleOf(SnippetName), text: ruleOf(SnippetText) },
  )
  const submit = form.onSubmit(async (values) => {
    await save.mutateAsync({ ...values, snippetId: snippet.snippetId })
    onDone()
  })
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <NameField
        label={t('snippets.name')}
        help={t('snippets.nameHelp')}
        maxLength={LIMITS.snippetNameLength}
        data-autofocus
        {...form.field('name')}
      />
      <CodeArea
        label={t('snippets.text')}
        help={t('snippets.textHelp', { field: '${table}', ordered: '${1:table}' })}
        rows={SHOWN_LINES}
        maxLength={LIMITS.snippetLength}
        {...form.field('text')}
        onChange={({ target }) => form.put('text', target.value)}
      />
      {form.refused && <Refusal text={form.refused} />}
      <div className={styles['buttons']}>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="primary" loading={form.working}>
          {t('snippets.save')}
        </Button>
      </div>
    </form>
  )
}
