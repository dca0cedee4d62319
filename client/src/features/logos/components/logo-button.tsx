import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { acceptedTypes } from '@/lib/photo-file'

type LogoButtonProps = { label: string; disabled: boolean; onChoose: (file: File) => void }

/** Opens the chooser for one picture. */
export function LogoButton({ label, disabled, onChoose }: LogoButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={acceptedTypes}
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // So that the same file can be chosen again.
          event.target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        <ImagePlus className="size-5" strokeWidth={1.75} aria-hidden />
        {label}
      </Button>
    </>
  )
}
