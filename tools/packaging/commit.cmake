# awend_commit(SOURCE OUT): the commit that SOURCE is, in 12 digits: out of `git archive`, which writes it into .git_archival.txt;
# else git's; else "unknown".  A folder without .git of its own is not asked about: it may lie in somebody else's repository.
# Test: tests/install/commit.sh.
function(awend_commit source out)
  set(commit "")
  if(EXISTS ${source}/.git_archival.txt)
    file(READ ${source}/.git_archival.txt commit)
  endif()
  if(NOT commit MATCHES "^commit: [0-9a-f]+" AND EXISTS ${source}/.git)
    execute_process(COMMAND git -C ${source} rev-parse --verify HEAD OUTPUT_VARIABLE commit ERROR_QUIET RESULT_VARIABLE status)
    set(commit "commit: ${commit}")
  endif()
  if(commit MATCHES "^commit: ([0-9a-f]+)")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
  else()
    set(commit unknown)
  endif()
  set(${out} ${commit} PARENT_SCOPE)
endfunction()

# awend_follow_commits(SOURCE): CMake runs again when the commit is another one.
function(awend_follow_commits source)
  if(EXISTS ${source}/.git)
    execute_process(COMMAND git -C ${source} rev-parse --path-format=absolute --git-path logs/HEAD
                    OUTPUT_VARIABLE log ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(log AND EXISTS ${log})
      set_property(DIRECTORY ${source} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
    endif()
  endif()
endfunction()
