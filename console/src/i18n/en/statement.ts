/** Texts about a statement wherever it is shown: its plan, and how it ran. */
export const statement = {
  values: 'Values of its parameters',
  usd: '{usd} USD',
  soFar: '{cost} so far',
  plan: {
    label: 'Plan',
    view: 'Show plan as',
    tree: 'Tree',
    text: 'Text',
    operator: 'Operator',
    ownTime: 'Own time',
    rowsOut: 'Rows out',
    estimatedRows: 'Estimated rows',
    slowestPath: 'Slowest path: {percent} % of the time of all operators',
    slowest: 'Slowest',
    level: 'Level {level}:',
  },
}
