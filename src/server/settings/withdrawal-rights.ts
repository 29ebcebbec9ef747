import { defaultWithdrawalChoices, type WithdrawalChoices } from '#domain/claims/withdrawal-law.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { findSetting, lockSetting, saveSetting } from './settings.ts'

const ROW = 'withdrawal-rights'

const choicesIn = (saved: string | undefined): WithdrawalChoices => ({
  ...defaultWithdrawalChoices,
  ...(JSON.parse(saved ?? '{}') as Partial<WithdrawalChoices>),
})

/** Where the shop offers withdrawal, as the owner chose. */
export const readWithdrawalChoices = async (db: Reader): Promise<WithdrawalChoices> =>
  choicesIn(await findSetting(db, ROW))

/** The same, while no other transaction can change it. */
export const lockWithdrawalChoices = async (tx: Tx): Promise<WithdrawalChoices> =>
  choicesIn(await lockSetting(tx, ROW, '{}'))

export const saveWithdrawalChoices = (tx: Tx, choices: WithdrawalChoices): Promise<void> =>
  saveSetting(tx, ROW, JSON.stringify(choices))
