/** When two names are of one object, for rooms that do not see the contract. */
export { foldedName, isSameName } from '@boathouse/contract/same-name'
