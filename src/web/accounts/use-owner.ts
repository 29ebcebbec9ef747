import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { userQuery } from '#web/api/queries.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'

const KEY = 'ownerSignedIn'
const isTrue = (value: unknown): value is true => value === true
const subscribeNever = () => () => {}

/** Whether the owner is signed in. Browsers where the owner never signed in make no request. */
export function useIsOwner(): boolean {
  const mayBeOwner = useSyncExternalStore(
    subscribeNever,
    () => readStored(KEY, isTrue) ?? false,
    () => false,
  )
  const { data: user } = useQuery({ ...userQuery, enabled: mayBeOwner })
  useEffect(() => {
    if (user?.isOwner) writeStored(KEY, true)
    else if (user !== undefined) removeStored(KEY)
  }, [user])
  return user?.isOwner ?? false
}
