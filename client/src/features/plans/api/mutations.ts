import { callFunction } from '@/lib/call-function'
import type { BillingPeriod } from '../model/plan'

type Page = { url: string }

/** Returns the URL of the provider's checkout page (SUB-05, FN-02). */
export async function checkoutPage(planId: string, billingPeriod: BillingPeriod): Promise<string> {
  return (await callFunction<Page>('create-checkout', { planId, billingPeriod })).url
}

/** Returns the URL of the provider's billing page (SUB-06, FN-03). */
export async function billingPage(): Promise<string> {
  return (await callFunction<Page>('customer-portal')).url
}
