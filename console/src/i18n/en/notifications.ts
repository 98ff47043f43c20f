export const notifications = {
  title: 'Notifications',
  messages: 'From the service',
  noMessages: 'No messages from the service.',
  failed: 'The messages could not be loaded',
  trialStarted: 'Your free trial has started.',
  trialEnding: 'Your free trial ends soon.',
  budgetWarning: 'A budget is nearly used up. See Usage & billing.',
  budgetReached: 'A budget is used up. See Usage & billing.',
  integrationAnswered:
    'Your request for an integration was answered. The page of integrations shows the answer.',
  pipeSuspended: 'A pipe of yours was suspended. Its page, below its database in the catalog, says why.',
  scheduleFailed:
    'The scheduled query {name} failed. Its runs, in the list of schedules below the activity, say why.',
  scheduleCondition:
    'The condition of the scheduled query {name} holds. Its runs are in the list of schedules below the activity.',
  someQuery: 'that notifies you',
  unknown: 'Unknown message of type {type}. Reload the page to update the console.',
  markRead: 'Mark as read',
  newer: 'Newer',
  older: 'Older',
  window: 'In this window',
  nothing: 'No notifications yet',
  nothingText: 'Notifications shown since you opened this window stay listed here.',
  tones: { ok: 'Done', info: 'Note', warn: 'Warning', err: 'Error' },
}
