// Work that continues after the response, by EdgeRuntime.waitUntil, and the end of the process.
const WARN_AT = 0.9 // share of the remaining time after which the function gets beforeunload

export class Background {
  #tasks = new Set()
  #tell // called with whether there is work
  #told = false // beforeunload was sent

  constructor(tell) {
    this.#tell = tell
  }

  // Keeps the process running until a promise is settled, and returns the promise.
  add(work) {
    const task = Promise.resolve(work)
      .catch((error) => console.error('background task failed:', error))
      .then(() => {
        this.#tasks.delete(task)
        if (!this.#tasks.size) this.#tell(false)
      })
    if (!this.#tasks.size) this.#tell(true)
    this.#tasks.add(task)
    return work
  }

  // Waits for all work. The function gets the event beforeunload at the end of its work, or shortly
  // before the time is over.
  async finish(reason, within) {
    setTimeout(() => this.#announceEnd('wall_clock'), within * WARN_AT)
    await this.#all()
    this.#announceEnd(reason)
    await this.#all() // listeners may have added work
  }

  async #all() {
    while (this.#tasks.size) await Promise.all(this.#tasks)
  }

  #announceEnd(reason) {
    if (this.#told) return
    this.#told = true
    dispatchEvent(new CustomEvent('beforeunload', { cancelable: true, detail: { reason } }))
  }
}
