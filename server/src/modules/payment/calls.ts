import { payment } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Payments } from './service.ts'

export const paymentCalls = (payments: Payments) =>
  implement(payment, {
    getCustomer: async (from) => ({
      exists: await payments.cards.exists(from),
      form: payments.form,
    }),
    setupCustomer: (from) => payments.cards.setUpCustomer(from),
    setupPaymentMethod: (from, { force }) => payments.cards.setUpMethod(from, force),
    cardBinding: async (from, { clientSecret }) => ({
      state: await payments.cards.binding(from, clientSecret),
    }),
    confirmTestCard: async (from, entered) => ({ state: await payments.confirmTestCard(from, entered) }),
    answerTestChallenge: async (from, { clientSecret, passes }) => ({
      state: await payments.answerTestChallenge(from, clientSecret, passes),
    }),
    overview: ({ actor }) => payments.bills.overview(actor),
    listInvoices: ({ actor }, page) => payments.bills.list(actor, page),
    invoiceLines: ({ actor }, question) => payments.explained.lines(actor, question),
    lineHours: ({ actor }, question) => payments.explained.hours(actor, question),
    invoiceFile: ({ actor }, which) => payments.bills.file(actor, which),
  })
