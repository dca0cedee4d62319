Deno.serve((request) => {
  const { socket, response } = Deno.upgradeWebSocket(request)
  socket.onmessage = ({ data }) => socket.send(`echo ${data}`)
  return response
})
