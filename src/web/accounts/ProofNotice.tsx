import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { useLinkSecret } from './use-link-secret.ts'

/** Follows a link that was mailed to prove an email, once, and says what came of it. */
export function ProofNotice() {
  const proof = useProof()
  if (!proof) return null
  return (
    <Notice
      title={proof.isProven ? 'Email confirmed' : 'Email not confirmed'}
      tone={proof.isProven ? 'calm' : 'danger'}
    >
      {proof.said}
    </Notice>
  )
}

function useProof() {
  const api = useApi()
  const queries = useQueryClient()
  const token = useLinkSecret()
  const followed = useRef<string>(undefined)
  const [proof, setProof] = useState<{ isProven: boolean; said: string }>()
  useEffect(() => {
    if (!token || followed.current === token) return
    followed.current = token
    api('POST /api/account/email/proof', { body: { token } })
      .then(({ email }) => setProof({ isProven: true, said: `${email} is yours now.` }))
      .catch((error: unknown) => setProof({ isProven: false, said: sentenceOf(error) }))
      .finally(() => void queries.invalidateQueries({ queryKey: accountQuery.queryKey }))
  }, [token, api, queries])
  return proof
}
