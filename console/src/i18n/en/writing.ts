/** What helps while a text is written; it comes with the first use of it. */
export const writing = {
  format: {
    unread: 'The statement in line {line} could not be formatted and stays as it is. Check it for errors.',
    unchanged: 'The text is formatted already.',
    tooLong: 'Texts of more than {limit} characters cannot be formatted at once. Select a part of it.',
  },
}
