import type { StaffNeed } from '#domain/accounts/roles.ts'
import { roleMay } from '#domain/accounts/roles.ts'
import { useSession } from '#web/accounts/use-session.ts'

/** What the signed-in person's role allows: pages show what works. The server decides. */
export function useMay(): (need: StaffNeed) => boolean {
  const { user } = useSession()
  return (need) => roleMay(user?.role ?? null, need)
}
