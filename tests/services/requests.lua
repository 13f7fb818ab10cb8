-- A script of wrk for tests/services/run. Prints one line, like services.Clients:
--   window REQUESTS NANOS P50 P99 LEAST
-- and a line "errors NUMBER" of failed connections and of answers that are not 200. With the argument LENGTH, each
-- answer must have that many bytes; that costs time, so only the warm-up does it.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  wrong = 0
  if args[1] then
    local length = tonumber(args[1])
    response = function(status, headers, body)
      if status ~= 200 or #body ~= length then wrong = wrong + 1 end
    end
  end
  local text = wrk.format("GET")
  request = function()
    made = (made or 0) + 1
    return text
  end
end

function done(summary, latency, requests)
  local least = math.huge
  local wrongs = 0
  for _, thread in ipairs(threads) do
    least = math.min(least, thread:get("made") or 0)
    wrongs = wrongs + thread:get("wrong")
  end
  local e = summary.errors
  print(string.format("window %d %d %d %d %d", summary.requests, summary.duration * 1000,
    latency:percentile(50) * 1000, latency:percentile(99) * 1000, least))
  print(string.format("bytes %d", summary.bytes))
  print(string.format("errors %d", e.connect + e.read + e.write + e.status + e.timeout + wrongs))
end
