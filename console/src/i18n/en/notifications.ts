export const notifications = {
  title: 'Notifications',
  messages: 'From the service',
  noMessages: 'The service has sent you no messages.',
  failed: 'Messages could not be loaded',
  trialStarted: 'Your free trial has started.',
  trialEnding: 'Your free trial ends soon.',
  budgetWarning: 'A budget is nearly used up. The page Usage & billing has them all.',
  budgetReached: 'A budget is used up. The page Usage & billing has them all.',
  unknown: 'A message of kind {type}, which this version of the console does not know.',
  markRead: 'Mark as read',
  newer: 'Newer',
  older: 'Older',
  window: 'In this window',
  nothing: 'Nothing was told yet',
  nothingText:
    'What the console told you since it was opened is kept here, also after it has gone from the page.',
  tones: { ok: 'Done', info: 'Note', warn: 'Warning', err: 'Error' },
}
