export const methodHeading = '## Method and its limits\n'

/** How the figures are measured and what they do not show; the last section of RESULTS.md. */
export const method = `${methodHeading}
- Every server runs in a process of its own; the service as users start it (\`bailiwick start\`, development, log level info
  into a file), asked with a credential over keep-alive connections on the loopback interface. The load generator runs on the
  same machine and its cost is in every figure, on both sides of a ratio alike.
- The load generator is a closed loop of its own over \`node:net\` (32 connections for reads, 64 for writes, 4 where latency is
  measured, 8 for passwords): it reaches the rates of autocannon on the bare server, and tells latencies to the microsecond
  where autocannon rounds to milliseconds. Any answer but 200 fails the run.
- Contestants take turns in rounds of a second, after three of each that do not count (one until November 2026): V8 optimises what
  has run long enough, and rates are those of a service that has. A ratio is the median of the ratios of the rounds. Absolute
  figures change with the machine and with what else runs on it; the ratios are what is held against the budgets.
- Latencies are compared in turns of 100 ms, large and small database by turns on four connections, after 4 s of each that do not
  count: a service that has just started answers its first five thousand pages more slowly than all that follow. A round is 2 s of
  each; the p99 of a round is taken over all its turns. Pages that are compared hold the same number of records: of tenants one
  fewer than the small database has, so that both have a further page; of a name that one in ninety has, ten; of a few
  names, the eleven that the last names of each size are.
- Bare node:http answers with the very bytes that the service answered with, headers included, and takes in the same bodies
  without parsing them.
- The engine alone is a loop over the driver that runs the statements of the service with values made beforehand. On SQLite,
  each commit holds as many transactions as the service's writer puts under one at this load, which is measured by the
  count of commits in the header of the WAL index. On PostgreSQL, ten connections (the service's pool) each do BEGIN, the
  inserts as named statements one by one, COMMIT. There is no load generator beside it, which favours it.
- Citus: a database of the small size that was filled first and then spread over two workers with 32 shards, and one on one PostgreSQL;
  all servers on this machine, each service on its own database, asked by turns over sixteen connections (four for passwords). The
  processor time of a request is that of the service and of all processes of the database servers, as Linux counts it, so what
  looks for due jobs meanwhile counts too. Without the extension the part is left out.
- Images: eight requests at once to the pool of worker processes, and as many calls of sharp in the load generator's own process,
  with the same output. What the border between the processes costs is the difference. Rounds are of 3 s: in those of a second
  (until November 2026) a tenth of the time went by with fewer and fewer of the eight under way.
- Hostile files: images of the six kinds and SVG with a few wrong bytes, some cut, with lengths patched or parts doubled, sent by a
  process of its own and asked for as two pictures where they were taken. 2,000 of them, fifty a second, which is a flood: a tenant
  may send sixty a minute in production; and 400 more, ten a second, as ten tenants may together. Rounds are of 5 s: in those of a
  second (until November 2026, 500 files at each pace) seventeen requests made the p99 of a flood, and chance made its ratio.
  Meanwhile, and in the rounds between, eight connections each check a session, pause for 4 ms and so on; the ratio is that of their p99: to rounds beside nothing,
  and to rounds beside as many whole images, which shows what of it is the damage and what the work. Any answer of 500 or above
  fails the run. The sender took a heavier HTTP client until November 2026.
- Sign-ins with the connection of an organization: the processor time of the whole service, as Linux counts it, for a sign-in of a user who
  has signed in before: three requests with SAML, two with OpenID Connect and what the service asks of the provider. 64 people sign in at once,
  as many as there are connections where users are created; until 27 November 2026 it was one at a time, and eight until the next day. 4,000 of each
  kind do not count, after which V8 has optimised what they need. The providers are in the load generator's process. What checking the signature takes there is
  subtracted: with OpenID Connect one check by a key of 2,048 bits, with SAML (since 28 November) also reading the XML and writing its canonical form.
- Sign-ups with a puzzle and without one: by turns of five at two tenants of one service, each of which goes first as often as the other,
  every user on a connection and from an address of its own. 600 of each do not count; 60 of each are a round. Their processor time is what Linux's scheduler
  has counted for the threads of the service. Until November 2026 it was told in hundredths of a second, which is 2 % of such a
  round, and one tenant's setting was changed between turns of forty, of which 120 did not count. The load generator solves the puzzles.
- What a session JWT says of the sign-in: the service's own functions in the load generator's process, by turns of ten tokens with and
  without it, each of which goes first as often as the other; 10,000 of each are a round.
- Directories: 100,000 users come by SCIM over eight connections, in ten steps; in each, one connection checks a session, pauses for 2 ms and so on,
  and does so for 5 s after it beside nothing. Memory is RssAnon between the steps: of the last three, and of the third to the fifth. After that one
  connection provisions 25 users a second, for 8 s in each of seven rounds.
- Sealing: 64 connections write for a minute; then a second process counts events and seals every 100 ms until there are as many of
  these as of those.
- Authorization servers are compared with oidc-provider by itself, with one issuer and its store in memory, which keeps nothing when it
  ends. Codes are made in batches of 160, for users who are signed in; only their redemption is timed. What the reference issues is not
  bound to the browser's session, which saves it a look-up in memory for each code.
- The memory of many authorization servers is what the process has not mapped from files (RssAnon), after its garbage was collected: once
  after three requests for each tenant that were all sent to ten of them, and once after as many that were sent to all.
- Hostile templates: message templates of another tenant, which try in two dozen ways to take all time and memory, previewed as
  mails and as texts at the pace of the flood above, in rounds of the same length. What a tenant asks for beyond its turn is sent back
  to wait, as it would be in production.
- Hooks: another tenant tries to create forty users a second, and its server denies each: never (and is no longer called after twenty
  failures), after 2.9 of 3 seconds, so that the tenant's fifty places are always taken, or at once, which is what the others are compared
  with. Since 28 November 2026, a turn is 4 s of a hook that has just been created, in which its places fill up, are full, run out of time,
  and it is paused. At its end the server hangs up, so that nobody still waits in the next turn. The three take turns in all six orders, after
  one round that does not count: 24 rounds of session checks at the pace above, and 12 of two people who sign in one after the other. The
  servers of the hooks and those who create users are in a process of their own, where they delay nobody who takes the times.
  Before, there were seven to fifteen rounds of 5 s, whose median differed by 30 % from one run to the next.
- Data sets: schema and first tenant by the service, the rest by SQL under the schema's rules. The small one has 10 tenants and
  1,000 console users who are all members of one tenant; the large one, where it is not said otherwise, 10,000 and 1,000,000.
  The events of the bulk rows have been sealed before, as those of a service that grew to that size are: until November 2026
  the service did so beside what was measured of it. PostgreSQL has been vacuumed and analysed; it runs with fsync, 32 MB of shared buffers and otherwise its defaults, on a
  unix socket.
- The requests name the host without a port, as those of a client behind a proxy do: the service must find out that this is
  no tenant's domain.
- Memory is the resident set (VmRSS). A start is the time from the start of the process to the first 200 of \`/readyz\`, with
  node's compile cache warm unless it is said otherwise.
`
