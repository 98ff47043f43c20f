export const diagnose = {
  action: 'Diagnostics',
  title: 'Diagnostics of {name}',
  intro:
    'Send this file to the people who help you. Read it first: it has versions, times, states and plans. Texts, numbers and comments of statements, user names, addresses and rows are left out.',
  content: 'Content of the file',
  loading: 'Collecting the diagnostics',
  download: 'Download JSON',
  close: 'Close',
}
