import type { ReactNode } from 'react'
import type { StaffNeed } from '#domain/accounts/roles.ts'
import { useMay } from './use-may.ts'

/** Shows what the person's role may use, and nothing to everybody else. */
export const May = ({ need, children }: { need: StaffNeed; children: ReactNode }) => (useMay()(need) ? children : null)
