import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { renderApp } from '@/testing/render'
import indexHtml from '../../../index.html?raw'
import { Component as Example } from './categoria-ejemplo'
import { Cities, OwnerBand } from './home-sections'
import { Component as NotFound } from './not-found'

describe('home', () => {
  it('HOME-10: the page carries its social image of 1200x630 and its locale', () => {
    for (const meta of [
      'property="og:image" content="/og-home.png"',
      'property="og:image:width" content="1200"',
      'property="og:image:height" content="630"',
      'property="og:locale" content="es_ES"',
    ]) {
      expect(indexHtml).toContain(meta)
    }
  })
  it('HOME-08: six cities in order, each with its page', () => {
    renderApp(<Cities />)
    const links = screen.getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual([
      'Madrid',
      'Barcelona',
      'Valencia',
      'Seville',
      'Bilbao',
      'Malaga',
    ])
    expect(links[3]?.getAttribute('href')).toBe('/c/seville')
  })
  it("HOME-09: 'Añadir negocio' goes to the sign-up for owners", () => {
    renderApp(<OwnerBand />)
    const link = screen.getByRole('link', { name: 'Añadir negocio' })
    expect(link.getAttribute('href')).toBe('/auth?mode=register&role=owner')
  })
})

it('ROUTE-20: an unknown address says so and leads home', () => {
  renderApp(<NotFound />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Oops! Page not found')
  expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
})

describe('/categoria-ejemplo', () => {
  it('ROUTE-18: is Spanish and has five chips', () => {
    renderApp(<Example />)
    expect(document.documentElement.lang).toBe('es')
    const chips = within(screen.getByRole('group', { name: 'Filtros' })).getAllByRole('button')
    expect(chips.map((chip) => chip.textContent)).toEqual([
      'Todos',
      'Taller',
      'Venta',
      'Rápido',
      'Barato',
    ])
  })
  it('ROUTE-19: filters three samples, and says when none match', async () => {
    renderApp(<Example />)
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(3)
    await userEvent.click(screen.getByRole('button', { name: 'Taller' }))
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Barato' }))
    expect(screen.getByText('No hay resultados para este filtro.')).toBeTruthy()
  })
})
