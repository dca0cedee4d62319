import { useState } from 'react'
import { SecondFactorForm } from '@/components/second-factor-form'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { showToast } from '@/components/ui/toast'
import { type SecondFactorProof, secondFactorWords, verifySecondFactor } from '@/lib/second-factor'
import type { SecondFactor } from '@/lib/session'
import { signOut } from '../api/sign-out'
import { messages } from '../messages'

/** The step after the password for users with an authenticator app (SEC-15, C-11, S-24). */
export function SecondFactorStep({ factors }: { factors: readonly SecondFactor[] }) {
  const [chosen, setChosen] = useState(factors[0]?.id ?? '')
  const handleProof = async (proof: SecondFactorProof) => {
    await verifySecondFactor(chosen, proof)
    showToast({ title: messages.welcomeBack, text: secondFactorWords.verified, tone: 'success' })
  }
  return (
    <div className="grid gap-4">
      {factors.length > 1 && (
        <Field label={messages.secondFactor}>
          <Select value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {factors.map(({ id, name }) => (
              <option key={id} value={id}>
                {name || messages.secondFactor}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <SecondFactorForm submitLabel={messages.secondVerify} onProof={handleProof} />
      <Button
        variant="link"
        size="inline"
        className="hit justify-self-start text-sm"
        onClick={() => void signOut().catch(() => undefined)}
      >
        {messages.secondOther}
      </Button>
    </div>
  )
}
