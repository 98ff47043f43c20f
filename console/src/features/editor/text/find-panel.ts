import { search } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { t } from '../../../i18n/texts.ts'

/** Over the text at its top right: matches stay visible, and nothing moves when it opens. */
const look = EditorView.theme({
  '.cm-panels.cm-panels-top': {
    position: 'absolute',
    top: '8px',
    right: '16px',
    left: 'auto',
    zIndex: '10',
    maxWidth: 'calc(100% - 32px)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--bg)',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
  },
  // Two rows and a third for the options, by their widths.
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    boxSizing: 'border-box',
    width: '440px',
    maxWidth: '100%',
    padding: '8px 40px 8px 8px',
    font: '400 12px/16px var(--font)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-panel.cm-search .cm-textfield': {
    flex: '1 1 180px',
    minWidth: '0',
    height: '26px',
    padding: '0 8px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    font: '400 12px/16px var(--mono)',
  },
  '.cm-panel.cm-search .cm-button': {
    height: '26px',
    padding: '0 10px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    background: 'var(--bg)',
    color: 'var(--text)',
    cursor: 'pointer',
    font: '600 12px/16px var(--font)',
  },
  '.cm-panel.cm-search .cm-button:hover': { background: 'var(--panel)' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    order: '1',
    alignItems: 'center',
    gap: '6px',
    height: '24px',
    marginRight: '8px',
    color: 'var(--muted)',
    fontSize: '12px',
  },
  '.cm-panel.cm-search label input': { accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '8px',
    width: '26px',
    height: '26px',
    borderRadius: '4px',
    color: 'var(--muted)',
    cursor: 'pointer',
    fontSize: '18px',
  },
  '.cm-panel.cm-search [name=close]:hover': { backgroundColor: 'var(--panel)', color: 'var(--text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--warn) 40%, transparent)' },
})

export const findPanel = (): Extension => [
  search({ top: true }),
  EditorState.phrases.of({
    next: t('editor.find.next'),
    previous: t('editor.find.previous'),
    all: t('editor.find.all'),
    'match case': t('editor.find.case'),
    regexp: t('editor.find.pattern'),
    'by word': t('editor.find.word'),
    replace: t('editor.find.replace'),
    'replace all': t('editor.find.replaceAll'),
    close: t('editor.find.close'),
  }),
  look,
]
