import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionUser } from '#contract/accounts.ts'
import { roles } from '#domain/accounts/roles.ts'
import { SecondFactorSection } from '#web/accounts/SecondFactorSection.tsx'
import { accountQuery, userQuery } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'

/** Instead of every page of the admin, until a person has the second factor that their role requires. */
export function SecondFactorFirst({ user: { role } }: { user: SessionUser }) {
  const queries = useQueryClient()
  const account = useQuery(accountQuery)
  const [isOpening, setIsOpening] = useState(false)
  const open = async () => {
    setIsOpening(true)
    await queries.invalidateQueries({ queryKey: userQuery.queryKey })
    setIsOpening(false)
  }
  return (
    <div className="mx-auto w-full max-w-[60rem] px-4 pt-8 pb-16 sm:px-6">
      <PageHead title="Two-factor authentication (admin)" />
      <h1 className="text-title">One step before you start</h1>
      <p className="mt-3 mb-8 max-w-[40em] text-ink-soft">
        {role && `The role ${roles[role].name} works with customers’ data, so it `}needs a second factor: a code from an
        app on your phone. Save the recovery codes that you get; they are shown once.
      </p>
      <QueryBoundary query={account} failureTitle="Your account could not be loaded">
        {(loaded) => (
          <>
            <SecondFactorSection account={loaded} />
            {loaded.secondFactor === 'on' && (
              <Button className="mt-8" busy={isOpening} onClick={() => void open()}>
                Open the admin
              </Button>
            )}
          </>
        )}
      </QueryBoundary>
    </div>
  )
}
