import { countText } from '@/lib/formats'

/**
 * Texts of the test tools. Those quoted in the requirements are verbatim (ADMIN-TEST-01, ADMIN-REPORT-07,
 * ADMIN-REPORT-08, ERR-51 to ERR-53).
 */
export const testMessages = {
  text: 'Sample data and test users for development. Everything they make is marked, so that it can be removed again.',
  tabs: 'Parts of the test tools',
  data: 'Test Data',
  users: 'Test Users',
  failed: 'The test tools could not be loaded',
  pending: 'Loading the test tools',
  off: 'Test tools are off',
  offText:
    'This server runs in production, where nobody can switch them on. What is marked as test data is counted below; an operator removes it with “plaza demo remove”.',
  counts: 'Test data now',
  counted: {
    profiles: { one: 'profile', several: 'profiles', title: 'Profiles' },
    businesses: { one: 'business', several: 'businesses', title: 'Businesses' },
    reviews: { one: 'review', several: 'reviews', title: 'Reviews' },
    bookings: { one: 'booking', several: 'bookings', title: 'Bookings' },
    reports: { one: 'report', several: 'reports', title: 'Reports' },
  },

  seedTitle: 'Seed sample data',
  intensity: 'Intensity',
  intensities: { minimal: 'Minimal', standard: 'Standard', extensive: 'Extensive' },
  seedText: 'Seeding again puts back what is missing and never makes anything twice.',
  seed: 'Seed data',
  seeded: 'Sample data seeded',
  seededText: (amounts: string) => `New: ${amounts}. The page reloads.`,
  seededNothing: 'Everything was there already. The page reloads.',
  seedFailed: 'Error seeding data',
  seedFailedText: 'Check the console for more details.',
  seedFailedTitle: 'Failed to seed data',

  clearTitle: 'Clear data',
  clearText:
    'Removes what the test tools and test users made. Real listings stay, whether their owners entered them or they came from a file.',
  clear: 'Clear test data',
  clearAsk: 'Clear test data?',
  clearList: (amounts: string) => `This removes ${amounts}.`,
  clearKept: 'Everything that is not marked as test data stays.',
  nothing: 'There are no businesses, reviews, bookings or reports to remove.',
  withProfiles: 'Include test profiles, except admins',
  cleared: 'Test data cleared',
  clearedText: (amounts: string) => `Removed: ${amounts}`,
  clearedNothing: 'There was nothing to remove.',
  clearFailed: 'Error clearing data',

  dangerTitle: 'Danger zone',
  dangerText:
    'Deletes every business, every account except admins, and everything that anybody wrote. Only categories, places, plans and the audit log stay.',
  clearAll: 'Clear all data',
  clearAllAsk: 'Clear all data?',
  clearAllText: 'This deletes real data, too, and cannot be undone.',
  gone: 'Deleted for good',
  goneList: [
    'All businesses with their services, photos, reviews and bookings',
    'All accounts except admins',
    'All messages, claims, applications, reports and notifications',
  ],
  phrase: (words: string) => `Type ${words} to confirm`,
  phraseWrong: (words: string) => `Type exactly ${words}`,
  clearedAll: 'All data cleared',
  rest: (rows: number) => `${countText(rows)} rows left`,

  usersText: 'Accounts with random passwords that nobody knows. Admins can log in as them.',
  usersFailed: 'Failed to load test users',
  usersPending: 'Loading test users',
  usersEmpty: 'There are no test users yet',
  usersEmptyText: 'Create one for each role, or a scenario with a seller and a buyer.',
  createUsers: 'Create test users',
  createScenario: 'Create test scenario',
  scenarioText:
    'The scenario is a seller with a business that can be booked, and a buyer with a visit, a review, an open booking and a pending claim.',
  usersCreated: 'Test users created',
  usersCreatedText: 'There is one for each role.',
  scenarioCreated: 'Test scenario created',
  scenarioCreatedText: 'Log in as Scenario Seller or Scenario Buyer to see it.',
  usersCreateFailed: 'Error creating test users',
  scenarioFailed: 'Error creating test scenario',
  user: 'Test user',
  email: 'E-mail',
  role: 'Role',
  lastLogin: 'Last login',
  never: 'Never',
  logInShort: 'Log in as',
  logInAsk: (name: string) => `Log in as ${name}?`,
  logInText: 'You are signed out of your own account first, and have to sign in again afterwards.',
  loggedIn: (name: string) => `Logged in as ${name}`,
  loginFailed: 'Login failed',
  loginFailedText: 'Failed to login as test user',

  sampleText: 'To try out this list, create sample reports.',
  sampleOnly: 'Create sample reports only',
  sampleComplete: 'Create a complete sample dataset',
  sampled: 'Sample data created',
  sampleRefused: 'Cannot create sample data',
  sampleFailed: 'Error creating sample data',
  refusals: {
    sample_exists: 'Sample data already exists',
    no_users:
      'No users found in the database. Create test users first, or create a complete sample dataset.',
    no_businesses:
      'No businesses found in the database. Create businesses first, or create a complete sample dataset.',
  } as Readonly<Record<string, string>>,
} as const
