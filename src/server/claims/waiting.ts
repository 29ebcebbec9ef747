export { countWaiting as countWaitingClaims } from './store.ts'
